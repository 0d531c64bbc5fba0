// Appended to a copy of the page by browser.sh: uses the page as a person would, and writes what
// went wrong into the page.
"use strict";
(() => {
  const wrong = [];
  const get = (id) => document.getElementById(id);
  const check = (what, found, expected) => {
    if (found !== expected) wrong.push(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
  };
  const press = (key, target = document.body) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const pick = (id, value) => {
    get(id).value = value;
    get(id).dispatchEvent(new Event(id === "filter-text" ? "input" : "change", { bubbles: true }));
  };
  const listed = () => get("list").children.length;
  const current = () => [...document.querySelectorAll('.note[aria-current="step"]')]
    .map((node) => Number(node.dataset.step) + 1).join();
  const title = () => document.querySelector("main h2")?.textContent;

  try {
    check("listed at first", listed(), 3);
    check("the worst is chosen", title(), "memory is lost when `items` is assigned again");
    check("first step", current(), "1");
    press("j"); press("ArrowDown");
    check("j and down", current(), "3");
    press("k");
    check("k", current(), "2");
    check("marks follow", document.querySelectorAll("mark.now").length > 0, true);
    check("drawing follows", document.querySelector('.station[aria-current="step"]').dataset.step, "1");
    check("stations", document.querySelectorAll(".station").length, 13);
    for (let turn = 0; turn < 20; turn += 1) press("j");
    check("the last step stays", current(), "13");
    press("n");
    check("n", title(), "memory of `strdup` is lost when the list is full");
    check("the marked text", [...document.querySelectorAll("mark")].map((node) => node.textContent).join("|"),
      "strdup (name)|copy == NULL|list->full|return -2;");
    check("the address names it", /^#[0-9a-f]{32}$/.test(location.hash), true);
    press("n");
    check("hostile text is text", title().startsWith("<" + "/script><script>"), true);
    check("nothing was injected", document.querySelectorAll("img, iframe").length, 0);
    press("n");
    check("the last finding stays", title().startsWith("<" + "/script>"), true);
    press("p");
    check("p", title(), "memory of `strdup` is lost when the list is full");

    pick("filter-kind", "leak/some-path");
    check("by kind", listed(), 1);
    pick("filter-kind", "");
    pick("filter-confidence", "medium");
    check("by confidence", title(), "memory is lost when `items` is assigned again");
    pick("filter-confidence", "");
    pick("filter-file", "src/list.c");
    check("by file", listed(), 2);
    pick("filter-file", "");
    pick("filter-text", "OVERWRITTEN");
    check("by text", listed(), 1);
    pick("filter-text", "no such text");
    check("nothing passes", document.querySelector("main").textContent, "No finding passes the filters.");
    press("j"); press("n");
    pick("filter-text", "");
    pick("filter-state", "suppressed");
    check("suppressed", document.querySelector("main .help").textContent,
      "Suppressed at src/list.c:42:1: the table lives as long as the process");
    pick("filter-state", "");
    check("all", listed(), 4);
    press("/");
    check("/ goes to the filter", document.activeElement.id, "filter-text");
    press("j", get("filter-text"));
    press("Escape", get("filter-text"));
    check("Escape leaves it", document.activeElement.id, "finding");
    check("the class table", document.querySelector("#run table tbody tr").textContent, "released4081.6 %");
    check("landmarks", document.querySelectorAll("header, nav, main, footer").length, 4);
    check("fields have labels", [...document.querySelectorAll("input, select")]
      .every((field) => field.labels.length === 1), true);
    check("the title is caulk's", document.title.startsWith("caulk: 3 findings"), true);
  } catch (error) {
    wrong.push(String(error.stack));
  }
  document.documentElement.dataset.outcome = wrong.length === 0 ? "passed" : `failed: ${wrong.join("; ")}`;
})();
