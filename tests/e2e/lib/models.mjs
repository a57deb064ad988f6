// A server that lists its models to clients with its key.
//
// Example: `const server = await serveModels('sk-1', ['tiny-1'])`; a client with that key
// gets the list at `${server.origin}/v1/models`, any other client 401.

import { createServer } from 'node:http';

/** Serves on a free port of 127.0.0.1; `seen` are the requests, without their keys. */
export async function serveModels(key, models) {
  const seen = [];
  const server = createServer((request, response) => {
    const { pathname: path } = new URL(request.url, 'http://127.0.0.1');
    seen.push({ method: request.method, path });
    const answer = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (path !== '/v1/models') return answer(404, { error: { message: 'no such route' } });
    if (request.headers.authorization !== `Bearer ${key}`) {
      return answer(401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } });
    }
    answer(200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
