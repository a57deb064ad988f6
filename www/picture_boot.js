const [source, alt] = JSON.parse(decodeURIComponent(location.hash.slice(1))); // No other page of ours may load one from elsewhere.
document.body.append(Object.assign(new Image(), { alt, src: source, onerror: ({ target }) => target.replaceWith(chrome.i18n.getMessage("card_failed")) }));
