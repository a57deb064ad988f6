const [source, alt] = JSON.parse(decodeURIComponent(location.hash.slice(1))), say = (key) => document.body.replaceChildren(chrome.i18n.getMessage(key));
say("fetching_image"), Object.assign(new Image(), { alt, src: source, onload: ({ target }) => document.body.replaceChildren(target), onerror: () => say("card_failed") }); // No other page of ours may load one from elsewhere.
