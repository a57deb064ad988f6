import("./offscreen/offscreen.js").then((page) => page.default()); // The page without a window, in Rust.
