const [source, alt] = JSON.parse(decodeURIComponent(location.hash.slice(1))), show = (...what) => document.body.replaceChildren(...what);
const picture = Object.assign(new Image(), { alt, src: source, onload: () => show(picture), onerror: () => show(chrome.i18n.getMessage("card_failed")) });
show(chrome.i18n.getMessage("fetching_image")); // No other page of ours may load one from elsewhere, and this one does nothing else.
