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
})
