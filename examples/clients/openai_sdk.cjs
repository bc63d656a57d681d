// Uses Wegweiser through OpenAI's own JavaScript library; see README.md.
const assert = require('node:assert/strict');
const { OpenAI, NotFoundError, BadRequestError } = require('openai');

const base = process.env.WEGWEISER_URL ?? 'http://127.0.0.1:8080';
const question = 'Was hilft gegen Aufschieben?';
const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: process.env.WEGWEISER_KEY ?? 'ohne-schluessel', maxRetries: 0 });
const asked = (content) => ({ model: 'wegweiser', messages: [{ role: 'system', content: 'Sei nett.' }, { role: 'user', content }] });

async function main() {
  const models = [];
  for await (const { id } of client.models.list()) models.push(id);
  assert.deepEqual(models, ['wegweiser']);

  const whole = await client.chat.completions.create(asked([{ type: 'text', text: question }]));
  const { content, annotations } = whole.choices[0].message;
  console.log('answer:', whole.wegweiser.author, '|', content.split('\n')[0]);
  for (const { url_citation: citation } of annotations) {
    console.log('citation:', citation.title, citation.url);
    assert.match([...content].slice(citation.start_index, citation.end_index).join(''), /^\[\d+\]$/);
  }

  let streamed = '';
  let usage;
  const stream = await client.chat.completions.create({ ...asked(question), stream: true, stream_options: { include_usage: true } });
  for await (const chunk of stream) {
    streamed += chunk.choices[0]?.delta?.content ?? '';
    usage = chunk.usage ?? usage;
  }
  assert.equal(streamed, content);
  console.log('stream: the same,', 'usage:', usage.total_tokens);

  // The library's own way to put a stream together.
  const final = await client.chat.completions.stream(asked(question)).finalContent();
  assert.equal(final, content);

  await assert.rejects(client.chat.completions.create({ ...asked(question), model: 'gpt-4' }), (error) => {
    console.log('unknown model:', error.status, error.code);
    return error instanceof NotFoundError && error.code === 'model_unknown';
  });
  await assert.rejects(client.chat.completions.create(asked('')), (error) => {
    console.log('empty question:', error.status, error.code);
    return error instanceof BadRequestError && error.code === 'question_empty';
  });
  console.log('ok: openai from JavaScript');
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
