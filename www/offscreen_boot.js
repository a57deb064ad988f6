import(self.document ? "./offscreen/offscreen.js" : "./sentences/sentences.js").then((wasm) => wasm.default()); // The page without a window, and its Worker, in Rust.
