// The peer of npm: fastify with schema-compiled answers for prices, and the same precompressed files for tokens.
// Arguments: where fastify is installed, and a folder with prices.json and tokens.<coding>. Prints its port.
'use strict'
const fs = require('fs')
const path = require('path')
const [modules, folder] = process.argv.slice(2)
const app = require(path.join(modules, 'node_modules', 'fastify'))({ logger: false, routerOptions: { maxParamLength: 16384 } })

const text = { type: 'string' }
const flag = { type: 'boolean' }
const price = {
  type: 'object',
  properties: {
    chainId: { type: 'integer' }, token: text, priceUSD: text, source: text, updatedAt: text, stale: flag, tier: text, refreshing: flag
  }
}
const asked = { type: 'object', properties: { tokens: text }, required: ['tokens'] }
const answered = { type: 'object', properties: { prices: { type: 'array', items: price } } }
const known = {}
if (fs.existsSync(path.join(folder, 'prices.json'))) {
  for (const row of JSON.parse(fs.readFileSync(path.join(folder, 'prices.json'))).prices) known[row.chainId + ':' + row.token] = row
}
app.get('/v1/prices', { schema: { querystring: asked, response: { 200: answered } } }, async (request) => {
  return { prices: request.query.tokens.split(',').map((name) => known[name]) }
})

const files = {}
for (const coding of ['zstd', 'br', 'gzip']) {
  const file = path.join(folder, 'tokens.' + coding)
  if (fs.existsSync(file)) files[coding] = fs.readFileSync(file)
}
app.get('/v1/tokens', async (request, reply) => {
  const accepted = request.headers['accept-encoding'] || ''
  const coding = ['zstd', 'br', 'gzip'].find((each) => accepted.includes(each))
  const etag = '"made-' + coding + '"'
  reply.header('etag', etag).header('vary', 'accept-encoding').header('cache-control', 'private, max-age=15')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.header('content-encoding', coding).type('application/json').send(files[coding])
})

app.listen({ host: '127.0.0.1', port: 0 }).then(() => console.log('port ' + app.server.address().port))
