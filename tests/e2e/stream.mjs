// A foreign client of the stream: reads events with fetch and prints them with their times, in milliseconds.
// Arguments: the address with its query.
const began = performance.now();
const response = await fetch(process.argv[2], { headers: { accept: "text/event-stream" } });
if (response.status !== 200) throw new Error(await response.text());
const events = [];
let rest = "";
for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
  const blocks = (rest + chunk).split("\n\n");
  rest = blocks.pop();
  for (const block of blocks) {
    const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s, 2)));
    events.push({ event: fields.event, data: JSON.parse(fields.data), ms: performance.now() - began });
  }
}
if (rest !== "") throw new Error(`an event without an end: ${rest}`);
console.log(JSON.stringify(events));
