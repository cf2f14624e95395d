'use strict'
const assert = require('node:assert/strict')
const http = require('node:http')
const net = require('node:net')
const { suite } = require('./lib/suite')
const { oneTask } = require('./lib/models')
const { unique, until } = require('./lib/wait')

suite('HTTP', {}, ({ check, raw, deploy, server }) => {
  check('/health and /ready answer 200 once the server serves', async () => {
    assert.equal((await server().get('/health')).status, 200)
    assert.equal((await server().get('/ready')).status, 200)
  })

  check('what is not there is 404, another method is 405', async () => {
    assert.equal((await server().get('/nothing')).status, 404)
    const status = await new Promise((resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port: server().httpPort, path: '/health', method: 'POST', agent: false },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
      request.on('error', reject)
      request.end('{}')
    })
    assert.equal(status, 405)
  })

  check('/metrics is Prometheus text and counts what happens', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const before = await server().metric('beeline_commands_processed_total')
    for (let i = 0; i < 3; i++) await raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1 })
    const { jobs } = await raw().activate({ type, maxJobsToActivate: 1 })
    await raw().call('FailJob', { jobKey: jobs[0].key, retries: 0 })
    const { headers, body } = await server().get('/metrics')
    assert.match(headers['content-type'], /^text\/plain/)
    for (const line of body.split('\n')) {
      assert.match(line, /^(# (HELP|TYPE) \w+ .*|[a-zA-Z_:][\w:]*(\{.*\})? (-?[\d.e+-]+|NaN|[+-]Inf)|)$/, line)
    }
    assert.ok((await server().metric('beeline_commands_processed_total')) >= before + 5)
    for (const family of [
      'beeline_records_written_total',
      'beeline_queue_depth',
      'beeline_commit_latency_seconds_count',
      'beeline_checkpoint_age_seconds',
      'beeline_exporter_lag_records',
    ]) {
      assert.notEqual(await server().metric(family), undefined, `${family} in\n${body}`)
    }
    assert.equal(await server().metric('beeline_incidents_open'), 1)
    const states = () =>
      server()
        .get('/metrics')
        .then((answer) => answer.body.split('\n').filter((line) => line.startsWith('beeline_jobs{') && line.includes(type)))
    const lines = await until('jobs are counted by type and state', async () => {
      const found = await states()
      return found.length > 0 && found
    })
    assert.ok(lines.some((line) => /state="activatable".* 2$/.test(line)), lines.join('\n'))
    assert.ok(lines.some((line) => /state="failed".* 1$/.test(line)), lines.join('\n'))
  })

  check('nonsense on the socket is answered or cut off, and the next one is served', async () => {
    for (const bytes of ['\x00\x01\x02\r\n\r\n', 'GET ' + 'x'.repeat(100_000), 'GET / HTTP/9.9\r\n\r\n', 'POST /health HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n']) {
      await new Promise((resolve) => {
        const socket = net.connect(server().httpPort, '127.0.0.1', () => socket.end(bytes, 'latin1'))
        socket.on('error', resolve)
        socket.on('close', resolve)
        socket.resume()
      })
    }
    assert.equal((await server().get('/health')).status, 200)
  })

  // Returns what the server answers to these bytes, until it closes.
  const say = (bytes, then) =>
    new Promise((resolve, reject) => {
      let text = ''
      const socket = net.connect(server().httpPort, '127.0.0.1', () => socket.write(bytes))
      socket.on('data', (chunk) => {
        text += chunk
        if (then) then(text, socket)
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
    })

  check('half-open connections do not take /health away, and are closed after 5 seconds', async () => {
    const began = Date.now()
    const sockets = []
    const closed = []
    for (let i = 0; i < 400; i++) {
      const socket = net.connect(server().httpPort, '127.0.0.1')
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.write('GET /heal')
      socket.on('error', () => {})
      socket.resume()
      sockets.push(socket)
      closed.push(new Promise((resolve) => socket.once('close', resolve)))
      if (i % 100 === 99) assert.equal((await server().get('/health')).status, 200)
    }
    for (const path of ['/health', '/ready', '/metrics']) assert.equal((await server().get(path)).status, 200)
    await Promise.all(closed)
    assert.ok(Date.now() - began < 25_000, `${Date.now() - began} ms`)
  })

  check('requests under a name that is not the server\'s are misdirected', async () => {
    const answer = await say('GET /health HTTP/1.1\r\nHost: rebound.example:9600\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 421 Misdirected Request\r\n/)
    assert.match(answer, /http-hosts/)
    const page = 'POST /api/workflow/message HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nContent-Length: 2\r\n\r\n{}'
    assert.match(await say(page), /^HTTP\/1\.1 421 /)
  })

  check('Expect: 100-continue is honoured', async () => {
    const body = '{"messageName":"nobody"}'
    const head = `POST /api/workflow/message HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`
    let sent = false
    const answer = await say(head, (text, socket) => {
      if (sent) return
      assert.equal(text, 'HTTP/1.1 100 Continue\r\n\r\n')
      sent = true
      socket.write(body)
    })
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 404 /)
  })

  check('405 and 413 carry their sentence in error, too', async () => {
    const wrong = await server().post('/health', '{}')
    assert.equal(wrong.status, 405)
    assert.match(JSON.parse(wrong.body).error, /Expected one of the methods GET for '\/health'/)
    const large = await say('POST /api/workflow/message HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194305\r\n\r\n')
    assert.match(large, /^HTTP\/1\.1 413 .*"error":"Expected a body of at most 4194304 bytes/s)
  })

  check('the open job streams are listed as Zeebe lists them', async () => {
    const type = unique('t')
    const worker = unique('w')
    const list = async (kind) => {
      const { status, body } = await server().get(`/actuator/jobstreams${kind}`)
      assert.equal(status, 200, body)
      return JSON.parse(body)
    }
    const mine = (streams) => streams.filter((stream) => stream.jobType === type)
    const request = { type, worker, timeout: 60_000, fetchVariable: ['a'] }
    const streams = [raw().openStream(request), raw().openStream(request)]
    const clients = await until('both streams are open', async () => {
      const found = mine(await list('/client'))
      return found.length === 2 && found
    })
    const metadata = { worker, timeout: 'PT1M', fetchVariables: ['a'], tenantIds: ['<default>'] }
    const [remote, ...others] = mine(await list('/remote'))
    assert.deepEqual(others, [])
    assert.deepEqual(remote.metadata, metadata)
    assert.equal(remote.consumers.length, 1)
    assert.equal(remote.consumers[0].receiver, '0')
    for (const client of clients) {
      assert.deepEqual(client.metadata, metadata)
      assert.equal(client.id.serverStreamId, remote.consumers[0].id)
      assert.deepEqual(client.connectedTo, [0])
    }
    const both = await list('')
    assert.equal(mine(both.remote).length, 1)
    assert.equal(mine(both.client).length, 2)
    assert.equal((await server().get('/actuator/jobstreams/other')).status, 400)
    for (const stream of streams) {
      stream.cancel()
      await stream.ended
    }
    await until('both streams are gone', async () => mine(await list('/remote')).length === 0)
  })
})
