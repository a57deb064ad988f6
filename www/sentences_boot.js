// The Worker with the sentence model, in Rust. A message is a question with texts; the reply is how near each text is.
import load, { Loading } from "./sentences/sentences.js";

const model = (async () => {
  const [file] = await Promise.all([fetch("sentence-model.bin"), load()]);
  const loading = new Loading(Number(file.headers.get("content-length") ?? 0));
  for await (const bytes of file.body) loading.push(bytes);
  return loading.model();
})();
onmessage = async ({ data }) => {
  try {
    const { question, texts } = JSON.parse(data);
    postMessage((await model).cosines(question, texts));
  } catch (error) {
    console.error(error);
    postMessage(null); // the page ends this Worker
  }
};
