const [source, alt] = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const picture = Object.assign(new Image(), { alt, src: source, onerror: () => picture.replaceWith(chrome.i18n.getMessage("card_failed")) });
document.body.append(picture); // No other page of ours may load one from elsewhere, and this one does nothing else.
