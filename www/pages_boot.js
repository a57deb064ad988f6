// Starts the chat page's wasm; says so in words if it does not run.
import init from "./pages/pages.js";
const broken = () => {
  const note = Object.assign(document.createElement("div"), { className: "note danger", id: "broken", role: "alert" });
  for (const [tag, key] of [["h2", "page_broken_title"], ["p", "page_broken_remedy"]])
    note.append(Object.assign(document.createElement(tag), { textContent: chrome.i18n.getMessage(key) }));
  if (!document.querySelector("#broken")) document.body.prepend(note);
};
for (const event of ["error", "unhandledrejection"]) addEventListener(event, broken);
// Runs in a tab (`passage.rs`): whether the passage stands there, which Chrome then scrolls to. After `until` nobody waits for it.
globalThis.showPassage = (directive, until) => {
  const letters = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const inner = ({ shadowRoot, contentDocument }) => said(shadowRoot ?? contentDocument?.documentElement);
  const said = (root) => (root ? root.textContent + [...root.querySelectorAll("*")].map(inner).join("") : "");
  const page = letters(said(document.documentElement)), parts = directive.split(/[&,]/);
  const stands = parts.every((part) => page.includes(letters(decodeURIComponent(part.replace("text=", "")))));
  if (stands && Date.now() < until) location.replace(`${location.href.split("#")[0]}${location.hash || "#"}:~:${directive}`);
  return stands;
};
init().catch(broken);
