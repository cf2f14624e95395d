'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const http2 = require('node:http2')
const zlib = require('node:zlib')
const { suite } = require('./lib/suite')
const { oneTask } = require('./lib/models')
const { unique } = require('./lib/wait')

const LIMIT = 4 * 1024 * 1024
const MiB = 1024 * 1024

// Makes one gRPC call with these bytes as its message; returns { status, message }.
function call(server, rpc, message, encoding) {
  const head = Buffer.alloc(5)
  head.writeUInt8(encoding ? 1 : 0, 0)
  head.writeUInt32BE(message.length, 1)
  return new Promise((resolve, reject) => {
    const session = http2.connect(`http://${server.address}`)
    session.on('error', reject)
    const stream = session.request({
      ':method': 'POST',
      ':path': `/gateway_protocol.Gateway/${rpc}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(encoding ? { 'grpc-encoding': encoding } : {}),
    })
    let found = {}
    const look = (headers) => {
      if (headers['grpc-status'] !== undefined) found = headers
    }
    stream.on('response', look)
    stream.on('trailers', look)
    stream.on('error', reject)
    stream.on('close', () => {
      session.close()
      resolve({ status: Number(found['grpc-status']), message: decodeURIComponent(found['grpc-message'] || '') })
    })
    stream.resume()
    stream.end(Buffer.concat([head, message]))
  })
}

// Just below the limit when compressed, gigabytes when decompressed: a block of zeros, repeated.
function bomb(kind) {
  const zeros = zlib.deflateRawSync(Buffer.alloc(16 * MiB), { finishFlush: zlib.constants.Z_FULL_FLUSH, level: 9 })
  const count = Math.floor((LIMIT - 64) / zeros.length)
  const head = kind === 'gzip' ? Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]) : Buffer.from([0x78, 0xda])
  const end = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([head, ...Array(count).fill(zeros), end])
}

// Memory of the server's process, in MiB.
function memory(server, name) {
  const status = fs.readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)[1]) / 1024
}

suite('compressed messages', {}, ({ check, server, raw }) => {
  check('what is packed is served like what is not', async () => {
    const request = (id) => {
      const name = Buffer.from('p.bpmn')
      const content = Buffer.from(oneTask(id, 't'))
      const length = (size) => Buffer.from([(size & 0x7f) | 0x80, size >> 7])
      const resource = Buffer.concat([Buffer.from([0x0a, name.length]), name, Buffer.from([0x12]), length(content.length), content])
      return Buffer.concat([Buffer.from([0x0a]), length(resource.length), resource])
    }
    for (const [encoding, pack] of [
      ['gzip', zlib.gzipSync],
      ['deflate', zlib.deflateSync],
    ]) {
      const id = unique('p')
      assert.deepEqual(await call(server(), 'DeployResource', pack(request(id)), encoding), { status: 0, message: '' })
      await raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1 })
    }
  })

  check('a message that unpacks beyond the limit costs no more than the limit', async () => {
    for (const encoding of ['gzip', 'deflate']) {
      const message = bomb(encoding)
      assert.ok(message.length > LIMIT * 0.9)
      const idle = memory(server(), 'VmRSS')
      const answer = await call(server(), 'DeployResource', message, encoding)
      assert.equal(answer.status, 8, answer.message)
      assert.match(answer.message, /at most 4194304 bytes \(message-size-max\).*unpacks to more/)
      const peak = memory(server(), 'VmHWM')
      assert.ok(peak - idle <= 100, `${idle} MiB idle, ${peak} MiB at the peak`)
      console.log(`# ${encoding}: ${idle.toFixed(1)} MiB idle, ${peak.toFixed(1)} MiB at the peak`)
    }
  })

  check('what is not what it says is refused in words', async () => {
    const answer = await call(server(), 'DeployResource', Buffer.from('not packed at all'), 'gzip')
    assert.equal(answer.status, 3)
    assert.match(answer.message, /compressed with gzip.*cannot be unpacked/)
  })
})
