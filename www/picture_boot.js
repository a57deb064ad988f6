// One picture from elsewhere, in a page of its own: no other page of ours may load any, and this one does nothing else.
const [source, alt] = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const picture = Object.assign(new Image(), { alt, src: source });
picture.addEventListener("error", () => picture.replaceWith(chrome.i18n.getMessage("card_failed")));
document.body.append(picture);
