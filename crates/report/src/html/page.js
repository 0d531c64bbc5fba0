// Draws the findings of the data in the page. Text from outside only ever becomes text nodes.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const LISTED = 2000;
  const data = JSON.parse(document.getElementById("data").textContent);
  const get = (id) => document.getElementById(id);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // What is shown: the rows of the list, the chosen finding, the chosen step of its path.
  let rows = [];
  let chosen = -1;
  let step = 0;

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children.filter((child) => child !== null));
    return node;
  }
  const make = (name, attributes = {}, ...children) =>
    fill(document.createElement(name), attributes, children);
  const draw = (name, attributes = {}, ...children) =>
    fill(document.createElementNS(SVG, name), attributes, children);

  // Filters

  const FILTERS = {
    file: (finding) => finding.file,
    kind: (finding) => finding.kind,
    confidence: (finding) => finding.confidence,
    state: (finding) => (finding.suppressed ? "suppressed" : "reported"),
  };
  const ORDER = ["high", "medium", "low", "reported", "suppressed"];

  function options(name, value) {
    const tally = new Map();
    for (const finding of data.findings) {
      tally.set(value(finding), (tally.get(value(finding)) ?? 0) + 1);
    }
    const rank = (text) => (ORDER.includes(text) ? ORDER.indexOf(text) : ORDER.length);
    const names = [...tally.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    const all = make("option", { value: "" }, `all (${data.findings.length})`);
    const one = (text) => make("option", { value: text }, `${text} (${tally.get(text)})`);
    get(`filter-${name}`).replaceChildren(all, ...names.map(one));
    return names;
  }

  function words(finding) {
    finding.words ??= [finding.message, finding.function, finding.place, finding.kind,
      finding.resource, ...finding.steps.map((row) => row.message)].join("\n").toLowerCase();
    return finding.words;
  }

  function passes(finding) {
    for (const [name, value] of Object.entries(FILTERS)) {
      const wanted = get(`filter-${name}`).value;
      if (wanted !== "" && value(finding) !== wanted) return false;
    }
    return words(finding).includes(get("filter-text").value.trim().toLowerCase());
  }

  // The list

  const anchor = (index) => data.findings[index].fingerprint || `finding-${index + 1}`;

  function entry(index) {
    const finding = data.findings[index];
    const badge = make("span", { class: `badge ${finding.confidence}` }, finding.confidence);
    const place = make("small", {}, `${finding.place} · ${finding.kind}`);
    const link = make("a", { href: `#${anchor(index)}` }, badge, finding.message, place);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      choose(index);
      get("finding").focus();
    });
    return make("li", { "data-index": index }, link);
  }

  function refilter() {
    rows = [...data.findings.keys()].filter((index) => passes(data.findings[index]));
    get("list").replaceChildren(...rows.slice(0, LISTED).map(entry));
    const rest = rows.length > LISTED ? `; the first ${LISTED} are listed` : "";
    get("shown").textContent = `${rows.length} of ${data.findings.length} findings${rest}`;
    choose(rows.includes(chosen) ? chosen : rows[0] ?? -1);
  }

  // One finding

  function choose(index) {
    const isNew = index !== chosen;
    chosen = index;
    for (const row of get("list").children) {
      const isChosen = Number(row.dataset.index) === index;
      row.firstChild.setAttribute("aria-current", String(isChosen));
      if (isChosen && isNew) row.scrollIntoView({ block: "nearest" });
    }
    if (index < 0) {
      get("finding").replaceChildren(make("p", {}, data.findings.length === 0
        ? `Nothing was found. ${data.missing_count > 0 ? "See below for what was not analysed." : ""}`
        : "No finding passes the filters."));
      return;
    }
    if (!isNew && get("finding").dataset.index === String(index)) return;
    get("finding").dataset.index = index;
    history.replaceState(null, "", `#${anchor(index)}`);
    show(data.findings[index]);
    go(0, false);
  }

  function show(finding) {
    const kind = data.kinds[finding.kind];
    const badge = make("span", { class: `badge ${finding.confidence}` },
      `${finding.confidence} confidence`);
    const facts = `${finding.place} in ${finding.function || "?"} · ${finding.resource} · ` +
      `${finding.harm} · found by ${finding.engine}`;
    get("finding").replaceChildren(
      make("h2", {}, finding.message),
      make("p", { class: "facts" }, badge, `${kind.title} [${finding.kind}]`, make("br"), facts),
      ...state(finding),
      make("p", {}, `Why ${finding.confidence}: ${finding.reason || "not said"}.`),
      ...replay(finding),
      make("div", { class: "way" },
        make("div", { class: "drawing" }, drawing(finding)),
        make("div", {}, ...finding.excerpts.map((file) => excerpt(finding, file)))),
      ...help(finding, kind),
    );
  }

  function replay(finding) {
    if (!finding.replay) return [];
    const rows = finding.replay.lines.flatMap((line) => [line, make("br")]);
    return [make("p", { class: `replay ${finding.replay.verdict}` }, ...rows)];
  }

  function state(finding) {
    if (!finding.suppressed) return [];
    const { reason, comment } = finding.suppressed;
    return [make("p", { class: "help" }, `Suppressed at ${comment}: ${reason}`)];
  }

  function help(finding, kind) {
    const parts = [];
    if (finding.suggestion) {
      parts.push(make("h3", {}, "Suggested release"), make("p", { class: "help" },
        make("code", {}, finding.suggestion.code), ` before ${finding.suggestion.place}`));
    }
    const flat = (text) => text.replaceAll("\n", " ");
    parts.push(make("details", {}, make("summary", {}, `About ${finding.kind}`),
      make("p", {}, `${kind.title}. ${flat(kind.meaning)}`),
      make("pre", {}, kind.example), make("p", {}, flat(kind.reason)),
      make("p", {}, flat(kind.fix)), make("pre", {}, kind.fixed)));
    parts.push(make("details", {}, make("summary", {}, "To suppress it"),
      make("p", {}, "On the line of any step, or alone on the line before:"),
      make("pre", {}, `/* caulk: allow(${finding.kind}) the reason */`)));
    return parts;
  }

  // Source

  function excerpt(finding, file) {
    const box = make("section", { class: "file", "aria-label": file.path },
      make("h4", {}, file.path));
    if (file.lines.length === 0) {
      finding.steps.forEach((row, number) => {
        if (row.file === file.path) box.append(note(finding, number, `${row.place}: `));
      });
    }
    let last = 0;
    for (const [number, text, marks] of file.lines) {
      if (last !== 0 && number > last + 1) {
        box.append(make("div", { class: "line gap", "aria-hidden": "true" },
          make("span", { class: "no" }, "⋮")));
      }
      last = number;
      box.append(make("div", { class: "line" }, make("span", { class: "no" }, String(number)),
        make("code", {}, ...pieces(finding, text, marks))));
      for (const [at] of marks) box.append(note(finding, at, ""));
    }
    return box;
  }

  // The text of a line, cut where marks begin and end; of several marks the shortest is shown.
  function pieces(finding, text, marks) {
    const cuts = [...new Set([0, text.length, ...marks.flatMap(([, from, to]) => [from, to])])];
    cuts.sort((a, b) => a - b);
    const out = [];
    for (let index = 0; index + 1 < cuts.length; index += 1) {
      const [from, to] = [cuts[index], cuts[index + 1]];
      const over = marks.filter(([, start, end]) => start <= from && to <= end);
      over.sort((a, b) => (a[2] - a[1]) - (b[2] - b[1]));
      out.push(over.length === 0 ? text.slice(from, to) : marked(finding, over, text.slice(from, to)));
    }
    return out;
  }

  function marked(finding, over, text) {
    const [number] = over[0];
    const steps = over.map(([at]) => at).join(" ");
    const node = make("mark", { class: finding.steps[number].role, "data-steps": steps }, text);
    node.addEventListener("click", () => go(number));
    return node;
  }

  function note(finding, number, before) {
    const row = finding.steps[number];
    const spelled = row.macro ? ` (in a macro, spelled at ${row.macro})` : "";
    const node = make("button", { type: "button", class: `note ${row.role}`, "data-step": number },
      `${number + 1} ${before}${row.message}${spelled}`);
    node.addEventListener("click", () => go(number));
    return node;
  }

  // The drawing: stations from top to bottom, each file in a lane of its own.

  const ROW = 58, LANE = 22, RADIUS = 11, WIDTH = 340;

  function drawing(finding) {
    const files = [...new Set(finding.steps.map((row) => row.file))];
    const lane = (row) => 20 + LANE * Math.min(files.indexOf(row.file), 4);
    const place = (number) => ({ x: lane(finding.steps[number]), y: 26 + ROW * number });
    const left = 44 + LANE * Math.min(files.length - 1, 4);
    const height = Math.max(ROW * finding.steps.length, 20);
    const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "group",
      "aria-label": `The path in ${finding.steps.length} steps` }, arrowHead());
    finding.steps.forEach((row, number) => picture.append(station(row, number, place(number), left)));
    for (let number = 1; number < finding.steps.length; number += 1) {
      picture.append(arrow(finding, number, place(number - 1), place(number)));
    }
    return picture;
  }

  function arrowHead() {
    const triangle = draw("path", { d: "M0,0 L8,4 L0,8 z", class: "head" });
    return draw("defs", {}, draw("marker", { id: "head", markerWidth: 8, markerHeight: 8, refX: 7,
      refY: 4, orient: "auto" }, triangle));
  }

  function arrow(finding, number, from, to) {
    const [a, b] = [finding.steps[number - 1], finding.steps[number]];
    const isBack = a.file === b.file && b.line < a.line;
    const [start, end] = [from.y + RADIUS, to.y - RADIUS - 2];
    const middle = (start + end) / 2;
    return draw("path", { class: isBack ? "arrow back" : "arrow", "marker-end": "url(#head)",
      d: `M${from.x},${start} C${from.x},${middle} ${to.x},${middle} ${to.x},${end}` });
  }

  function station(row, number, { x, y }, left) {
    const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
    const most = Math.floor((WIDTH - left) / 6.6);
    const name = row.place.split("/").pop();
    const node = draw("g", { class: "station", "data-step": number },
      draw("title", {}, `${row.place}: ${row.message}`),
      draw("rect", { x: 2, y: y - 22, width: WIDTH - 4, height: ROW - 12, rx: 6 }),
      draw("circle", { cx: x, cy: y, r: RADIUS, class: row.role }),
      draw("text", { x, y: y + 4, class: "number" }, String(number + 1)),
      draw("text", { x: left, y: y - 3 }, cut(row.message, most)),
      draw("text", { x: left, y: y + 13, class: "where" }, cut(`${row.role} · ${name}`, most)));
    node.addEventListener("click", () => go(number));
    return node;
  }

  // Steps

  function go(number, isMoving = true) {
    const finding = data.findings[chosen];
    if (!finding || finding.steps.length === 0) return;
    step = Math.min(Math.max(number, 0), finding.steps.length - 1);
    const main = get("finding");
    for (const node of main.querySelectorAll("[data-step]")) {
      if (Number(node.dataset.step) === step) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
    }
    for (const node of main.querySelectorAll("mark")) {
      node.classList.toggle("now", node.dataset.steps.split(" ").includes(String(step)));
    }
    if (!isMoving) return;
    const behavior = calm.matches ? "auto" : "smooth";
    main.querySelector(`.note[data-step="${step}"]`)?.scrollIntoView({ block: "center", behavior });
    main.querySelector(`.station[data-step="${step}"]`)?.scrollIntoView({ block: "nearest", behavior });
    const row = finding.steps[step];
    get("said").textContent =
      `Step ${step + 1} of ${finding.steps.length}, ${row.role}, ${row.place}: ${row.message}`;
  }

  function move(by) {
    const at = rows.indexOf(chosen) + by;
    if (at < 0 || at >= rows.length) return;
    choose(rows[at]);
    get("said").textContent = `Finding ${at + 1} of ${rows.length}: ${data.findings[chosen].message}`;
  }

  const KEYS = {
    j: () => go(step + 1), ArrowDown: () => go(step + 1),
    k: () => go(step - 1), ArrowUp: () => go(step - 1),
    n: () => move(1), p: () => move(-1),
    "/": () => get("filter-text").focus(),
  };

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isField = event.target.matches?.("input, select, textarea");
    if (event.key === "Escape") get("finding").focus();
    if (isField || !Object.hasOwn(KEYS, event.key)) return;
    // In the list, arrows scroll.
    if (event.key.startsWith("Arrow") && event.target.closest?.("nav")) return;
    event.preventDefault();
    KEYS[event.key]();
  }

  // The run

  function table(title, heads, lines) {
    const head = make("tr", {}, ...heads.map((text, at) =>
      make("th", { scope: "col", class: at > 0 ? "number" : "" }, text)));
    const line = (cells) => make("tr", {}, ...cells.map((text, at) =>
      make("td", { class: at > 0 ? "number" : "" }, text)));
    return [make("h3", {}, title),
      make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines.map(line)))];
  }

  function list(title, texts, rest) {
    if (texts.length === 0) return [];
    const more = rest > 0 ? [make("li", {}, `… and ${rest} more; the text report has all`)] : [];
    return [make("h3", {}, title),
      make("ul", {}, ...texts.map((text) => make("li", {}, text)), ...more)];
  }

  function run() {
    const parts = [make("h2", {}, "The run")];
    if (data.hidden) parts.push(make("p", {}, data.hidden));
    if (data.classes.length > 0) {
      const total = data.classes.reduce((sum, [, sites]) => sum + sites, 0);
      const share = (sites) => `${(100 * sites / total).toFixed(1)} %`;
      const lines = data.classes.map(([name, sites]) => [name, String(sites), share(sites)]);
      parts.push(...table("Allocation sites by class", ["class", "sites", "share"],
        [...lines, ["all", String(total), ""]]));
    }
    if (data.unknown.length > 0) {
      parts.push(make("h3", {}, "Unknown functions where objects ended"),
        make("p", {}, "A model file to fill in, for --models:"), make("pre", {}, data.stub));
    }
    parts.push(...list("Suppressions to look at", data.remarks, 0));
    parts.push(...list("Not analysed", data.missing, data.missing_count - data.missing.length));
    get("run").replaceChildren(...parts);
  }

  function start() {
    for (const [name, value] of Object.entries(FILTERS)) {
      const names = options(name, value);
      if (name === "state") get("state-label").hidden = names.length < 2;
      if (name === "state" && names.includes("reported")) get("filter-state").value = "reported";
      get(`filter-${name}`).addEventListener("change", refilter);
    }
    get("filter-text").addEventListener("input", refilter);
    get("filters").addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("keydown", key);
    const wanted = location.hash.slice(1);
    const known = wanted === "" ? -1 : [...data.findings.keys()].findIndex((i) => anchor(i) === wanted);
    if (known >= 0 && data.findings[known].suppressed) get("filter-state").value = "";
    refilter();
    if (known >= 0) choose(known);
    run();
  }

  start();
})();
