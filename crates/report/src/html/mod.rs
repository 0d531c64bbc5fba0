//! One page per run, for a browser: no network, no other files, works from disk.
//!
//! The findings are data in the page, and a script draws the one that is looked at, so that
//! thousands of them stay quick. Two rules keep text from outside from becoming code: the data is
//! JSON without `<`, `>` and `&` (see `escape`), and the script only ever makes text nodes of it.

mod data;
mod escape;
mod excerpt;
#[cfg(test)]
mod tests;

use caulk_finding::{Finding, Results};

use self::escape::{escaped, in_script};
use crate::{Texts, Tool, one_line};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const BODY: &str = include_str!("page.html");

/// Nothing is loaded and nothing is sent, whatever the page holds.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// The whole page.
#[must_use]
pub fn html(results: &Results, tool: &Tool<'_>, texts: &Texts<'_>) -> String {
    let data = in_script(&data::data(results, texts).to_string());
    let summary = escaped(&one_line(results));
    let name = escaped(&format!("{} {}", tool.name, tool.version));
    let plain = plain(&results.findings);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>caulk: {summary}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{name}</h1>\n<p id=\"summary\">{summary}</p>\n</header>\n\
         {BODY}<noscript>\n{plain}</noscript>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// For browsers without script: the list alone.
fn plain(findings: &[Finding]) -> String {
    let row = |finding: &Finding| {
        let (place, kind) = (escaped(&finding.primary.to_string()), finding.kind.id());
        format!("<li><code>{place}</code>: {} [{kind}]</li>\n", escaped(&finding.message))
    };
    let rows: String = findings.iter().map(row).collect();
    format!("<p>Without script, this page shows only the list.</p>\n<ol>\n{rows}</ol>\n")
}
