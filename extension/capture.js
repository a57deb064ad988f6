// What the tab shows, serialised: injected on the user's gesture, in the isolated world. An article with a
// menu folded by `display: none`, a web component and a frame of its own site gives one HTML string without
// the menu, with what the component and the frame show in their places. The page is only read, never changed.
(async () => {
  const SKIPPED = new Set(("script style noscript template link meta base head title input textarea select "
    + "datalist source track param noembed noframes canvas audio video object desc defs symbol metadata").split(" "));
  const VOID = new Set(["area", "br", "col", "hr", "img", "wbr"]);
  // Elements that a parser would read as raw text, or that have no meaning outside their page.
  const RENAMED = { plaintext: "pre", xmp: "pre", listing: "pre", body: "div", html: "div", frameset: "div",
    iframe: "div", frame: "div", slot: "" };
  // What extraction looks at (class, id, role, rel, itemprop), and what Markdown needs.
  const ATTRIBUTES = "class id role rel itemprop itemtype lang dir alt colspan rowspan start datetime".split(" ");
  const SVG = "http://www.w3.org/2000/svg";
  const [MUTED, FOLDED] = [1, 2]; // its own text is invisible, not all its children's; behind a closed <details>, without boxes
  // A form's or document's fields named "children" or "title" shadow its properties: ask the prototypes.
  const getter = (owner, name) => Function.call.bind(Object.getOwnPropertyDescriptor(owner.prototype, name).get);
  const [firstChild, nextSibling, parentElement, nodeType] = ["firstChild", "nextSibling", "parentElement", "nodeType"].map((name) => getter(Node, name));
  const [localName, shadowRoot, namespaceURI] = ["localName", "shadowRoot", "namespaceURI"].map((name) => getter(Element, name));
  const [bodyOf, rootOf, innerText] = [getter(Document, "body"), getter(Document, "documentElement"), getter(HTMLElement, "innerText")];
  const [attribute, rect] = ["getAttribute", "getBoundingClientRect"].map((name) => Function.call.bind(Element.prototype[name]));
  const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

  // Text for screen readers alone: clipped to nothing, or placed where no scrolling leads. An
  // element is measured only if it can be so: measuring lays out what is not yet on the screen.
  const clippedAway = (element, style, state) => {
    if (/^(inset\((50|100)%|circle\(0)/.test(style.clipPath)) return true;
    const placed = style.position === "absolute" || style.position === "fixed";
    if (placed && /^rect\(([01]px,? ?){4}\)$/.test(style.clip)) return true;
    const clips = style.overflowX !== "visible";
    if (state & FOLDED || !(placed || clips) || style.display === "contents") return false;
    const { width, height, right, bottom } = rect(element);
    return (clips && (width <= 1 || height <= 1))
      || (placed && ((right + scrollX <= 0 && style.direction === "ltr") || bottom + scrollY <= 0));
  };

  // The state in which an element's content is serialised, or null if nothing of it is visible.
  const visibility = (element, state) => {
    const style = getComputedStyle(element);
    if (style.display === "none") return null;
    if (style.contentVisibility === "hidden" && attribute(element, "hidden") !== "until-found") return null;
    // What fades in when it is scrolled to is invisible only until then.
    const fades = style.animationName !== "none" || style.transitionDuration !== "0s";
    if (style.opacity === "0" && !(fades && rect(element).top >= innerHeight)) return null;
    if (clippedAway(element, style, state)) return null;
    const mute = style.visibility !== "visible" || style.fontSize === "0px" || parseFloat(style.textIndent) < -999;
    if (mute && /^i?frame$/.test(localName(element))) return null;
    return (state & FOLDED) | (mute ? MUTED : 0);
  };

  const tagOf = (element, name) => {
    if (element.namespaceURI === SVG) return name === "text" ? "span" : "";
    if (name.includes("-")) return getComputedStyle(element).display.startsWith("inline") ? "span" : "div";
    return /^[a-z][a-z0-9]*$/.test(name) ? RENAMED[name] ?? name : "span";
  };

  const openTag = (element, tag) => {
    let open = "<" + tag;
    for (const name of ATTRIBUTES) if (attribute(element, name)) open += ` ${name}="${escape(attribute(element, name))}"`;
    const [name, url] = tag === "a" ? ["href", element.href] : tag === "img" ? ["src", element.currentSrc || element.src] : [];
    // Images that stand in the page itself would be most of its bytes.
    if (typeof url === "string" && /^(https?|mailto|ftp|file):/.test(url)) open += ` ${name}="${escape(url)}"`;
    return open + ">";
  };

  // An element's children as they are shown: shadow roots and slots resolved, frames of this site entered.
  const shownChildren = (element, name) => {
    if (name === "iframe" || name === "frame") {
      try {
        const inner = element.contentDocument;
        return inner ? [bodyOf(inner) ?? rootOf(inner)].filter(Boolean) : [];
      } catch { return []; } // a frame of another site
    }
    const assigned = name === "slot" && element.assignedNodes ? element.assignedNodes() : [];
    if (assigned.length) return assigned;
    const children = [];
    for (let child = firstChild(shadowRoot(element) ?? element); child; child = nextSibling(child)) children.push(child);
    return children;
  };

  // The stack is our own: pages nest deeper than JavaScript's calls may. Past 15 s or 30 million characters only the open elements are closed.
  const serialise = (root) => {
    let [parts, stack, states, until, room] = [[], [root], [0], performance.now() + 15_000, 30_000_000];
    while (stack.length) {
      const [node, state] = [stack.pop(), states.pop()];
      if (typeof node === "string") { parts.push(node); continue; }
      if ((room -= node.data?.length ?? 50) < 0 || performance.now() > until) continue;
      if (nodeType(node) === Node.TEXT_NODE) parts.push(state & MUTED ? " " : escape(node.data));
      if (nodeType(node) !== Node.ELEMENT_NODE) continue;
      const name = localName(node);
      if (SKIPPED.has(name)) continue;
      const own = visibility(node, state);
      if (own === null) continue;
      const tag = tagOf(node, name);
      if (tag) parts.push(openTag(node, tag));
      if (VOID.has(name)) continue;
      if (tag) { stack.push(`</${tag}>`); states.push(0); }
      const children = shownChildren(node, name);
      const closed = (name === "details" && attribute(node, "open") === null) || attribute(node, "hidden") === "until-found";
      for (let i = children.length - 1; i >= 0; i--) {
        stack.push(children[i]);
        states.push(closed && children[i].nodeName !== "SUMMARY" ? own | FOLDED : own);
      }
    }
    return parts.join("");
  };

  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const metadata = all("head > meta[content]").map((meta) => "<meta" + ["name", "property", "itemprop", "content"]
    .filter((name) => meta.hasAttribute(name)).map((name) => ` ${name}="${escape(meta.getAttribute(name))}"`).join("") + ">");

  // The selected words with the text of the block they stand in, at most 4 000 characters around them.
  const selected = () => {
    const selection = [window, getter(Document, "activeElement")(document)?.contentWindow].map((view) => {
      try { return view?.getSelection(); } catch { return null; }
    }).find((candidate) => candidate && !candidate.isCollapsed);
    const text = selection?.toString().trim();
    if (!text) return undefined;
    let block = selection.getRangeAt(0).commonAncestorContainer;
    const isInline = (node) => nodeType(node) !== Node.ELEMENT_NODE || getComputedStyle(node).display.startsWith("inline");
    while (parentElement(block) && isInline(block)) block = parentElement(block);
    const around = namespaceURI(block).endsWith("xhtml") ? innerText(block) : block.textContent;
    const start = Math.max(0, around.indexOf(text.slice(0, 40)) - 2000);
    return { text, block: around.slice(start, start + 4000).trim() };
  };

  // A page whose scripts keep it loading is read as far as it has come.
  const parsed = new Promise((resolve) => { addEventListener("DOMContentLoaded", resolve); setTimeout(resolve, 3000); });
  if (document.readyState === "loading") await parsed;
  const [root, title] = [rootOf(document), getter(Document, "title")(document)];
  const language = attribute(root, "lang") ?? "";
  // What tells an article from a page of a manual: its data, and its links to the pages around it.
  const around = all("head > link[rel]").filter((link) => /^(up|home|contents|start|prev|previous|next)$/i.test(link.rel))
    .map((link) => `<link rel="${escape(link.rel)}" href="${escape(link.href)}">`);
  const data = all("script[type='application/ld+json']")
    .map((script) => `<script type="application/ld+json">${script.textContent.replaceAll("<", "\\u003c")}</script>`);
  const head = `<head><title>${escape(title)}</title>${[...metadata, ...around, ...data].join("")}</head>`;
  const html = `<!DOCTYPE html><html lang="${escape(language)}">${head}<body>${serialise(bodyOf(document) ?? root)}</body></html>`;
  // A PDF is drawn, without text that a script could read: the page reads its own bytes again, 50 MB and one at most.
  const bytes = document.contentType === "application/pdf" && await fetch(location.href).then((it) => it.blob()).catch(() => new Blob());
  const coded = (done) => Object.assign(new FileReader(), { onload: (it) => done(it.target.result) }).readAsDataURL(bytes.slice(0, 52_428_801));
  return { url: location.href, title, language, html, selection: selected(), pdf: bytes ? await new Promise(coded) : undefined };
})();
