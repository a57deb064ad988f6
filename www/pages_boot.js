// Starts the chat page's wasm. All it adds is words for the case that the wasm
// itself does not run: no other code could say so.
import init from "./pages/pages.js";

function broken() {
  if (document.querySelector("#broken")) return;
  const note = document.createElement("div");
  note.id = "broken";
  note.className = "note danger";
  note.setAttribute("role", "alert");
  for (const [tag, key] of [["h2", "page_broken_title"], ["p", "page_broken_remedy"]]) {
    const line = document.createElement(tag);
    line.textContent = chrome.i18n.getMessage(key);
    note.append(line);
  }
  document.body.prepend(note);
}

addEventListener("error", broken);
addEventListener("unhandledrejection", broken);
init().catch(broken);
