// Stands in for `LanguageModel` in a copy of the extension, as no browser of the tests has a
// model behind it: the form is that of the explainer and the IDL (https://github.com/webmachinelearning/prompt-api,
// June 2026), and with `EARLIER` the names that Chrome 138 had for extensions. What it says,
// and whether it is there, the test's desk decides (`language_model.mjs`).

(() => {
  const channel = new BroadcastChannel('language-model');
  const where = globalThis.document ? location.pathname.slice(1) : 'worker';
  const me = crypto.randomUUID();
  const waiting = new Map(); // number of a question -> who waits for the desk's answer
  const hearing = new Map(); // id of a session -> who hears its words
  let last = 0;
  channel.addEventListener('message', ({ data }) => {
    if (data.to !== me) return;
    if (data.answers) waiting.get(data.answers)?.(data.value);
    else hearing.get(data.session)?.(data);
  });
  const tell = (event, more) => channel.postMessage({ from: me, where, event, ...more });
  const ask = (event, more) => new Promise((resolve) => {
    waiting.set(++last, resolve);
    tell(event, { question: last, ...more });
  });
  const failed = (name, message) => (name === 'TypeError' ? new TypeError(message) : new DOMException(message, name));
  const demand = (holds, message) => {
    if (!holds) throw failed('TypeError', message);
  };
  const words = (messages) => messages.flatMap(({ content }) => (typeof content === 'string' ? content : content
    .filter(({ type }) => type === 'text').map(({ value }) => value))).join(' ').split(/\s+/).length;

  /** The IDL's `LanguageModelMessage`s; images only where the session was told to expect them. */
  function checked(messages, images, system) {
    demand(Array.isArray(messages), 'a sequence of messages');
    messages.forEach(({ role, content }, at) => {
      demand(['system', 'user', 'assistant'].includes(role), `a role, not ${role}`);
      demand(role !== 'system' || (system && at === 0), 'a system prompt stands first');
      if (typeof content === 'string') return;
      demand(Array.isArray(content), 'content is a string or a sequence');
      for (const { type, value } of content) {
        if (type === 'image' && !images) throw failed('NotSupportedError', 'images were not expected');
        demand(type === 'text' ? typeof value === 'string' : value instanceof Uint8Array, `a value of ${type}`);
      }
    });
    return messages;
  }

  class Session extends EventTarget {
    #id = crypto.randomUUID();
    #images;
    #used;
    #over = false;
    #end;

    static async availability(options = {}) {
      return ask('availability', { options: JSON.parse(JSON.stringify(options)) });
    }

    static async create({ signal, monitor, initialPrompts = [], ...options } = {}) {
      const gesture = globalThis.document ? navigator.userActivation.isActive : true;
      signal?.throwIfAborted();
      const images = (options.expectedInputs ?? []).some(({ type }) => type === 'image');
      checked(initialPrompts, images, true);
      const session = new Session();
      session.#images = images;
      session.#used = initialPrompts.length && words(initialPrompts);
      const target = new EventTarget();
      monitor?.(target);
      const { state, error } = await ask('create', { session: session.#id, prompts: initialPrompts, options });
      if (error) throw failed(error.name, error.message);
      if (state !== 'available') {
        if (!gesture) throw failed('NotAllowedError', `Requires a user gesture when availability is "${state}".`);
        for (const loaded of [0, 0.4, 1]) {
          target.dispatchEvent(new ProgressEvent('downloadprogress', { loaded, total: 1, lengthComputable: true }));
          await ask('downloaded', { loaded });
        }
      }
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => session.destroy());
      tell('created', { session: session.#id });
      return session;
    }

    promptStreaming(input, { signal, responseConstraint } = {}) {
      demand(!this.#over, 'the session is destroyed');
      checked(input, this.#images, false);
      signal?.throwIfAborted();
      return new ReadableStream({
        start: (controller) => {
          this.#end = (error) => {
            hearing.delete(this.#id);
            controller.error(error);
          };
          const aborted = () => this.#end?.(failed('AbortError', 'signal is aborted without reason'));
          signal?.addEventListener('abort', aborted);
          hearing.set(this.#id, ({ words: said, error }) => {
            if (said !== undefined) return controller.enqueue(said);
            if (error) return this.#end(failed(error.name, error.message));
            this.#used += words(input) + 7;
            this.#end = undefined;
            hearing.delete(this.#id);
            controller.close();
          });
          tell('prompted', { session: this.#id, input, responseConstraint });
        },
      });
    }

    async [EARLIER ? 'measureInputUsage' : 'measureContextUsage'](input) {
      return words(checked(input, this.#images, false));
    }

    get [EARLIER ? 'inputUsage' : 'contextUsage']() {
      return this.#used;
    }

    destroy() {
      if (this.#over) return;
      this.#over = true;
      this.#end?.(failed('AbortError', 'The session is destroyed.'));
      tell('destroyed', { session: this.#id });
    }
  }
  globalThis.LanguageModel = Session;
})();
