// Starts the chat page's wasm; says so in words if it does not run. `showPassage` runs in a tab (`passage.rs`), which Chrome then scrolls.
import init from "./pages/pages.js";
const broken = () => {
  const note = Object.assign(document.createElement("div"), { className: "note danger", id: "broken", role: "alert" });
  for (const [tag, key] of [["h2", "page_broken_title"], ["p", "page_broken_remedy"]])
    note.append(Object.assign(document.createElement(tag), { textContent: chrome.i18n.getMessage(key) }));
  if (!document.querySelector("#broken")) document.body.prepend(note);
};
for (const event of ["error", "unhandledrejection"]) addEventListener(event, broken);
globalThis.showPassage = (directive) => location.replace(`${location.href.split("#")[0]}${location.hash || "#"}:~:${directive}`);
init().catch(broken);
