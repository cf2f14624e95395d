'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const { after, describe, it } = require('node:test')
const { suite } = require('./lib/suite')
const { ROOT, Server, beeline, freePort, temporaryDirectory } = require('./lib/server')
const { oneTask } = require('./lib/models')
const { unique, until } = require('./lib/wait')

// A refusal is one sentence on standard error that explains what to do, and a non-zero exit code.
function assertRefusal(result, text) {
  assert.notEqual(result.code, 0, result.stdout)
  assert.match(result.stderr, text)
  const lines = result.stderr.trim().split('\n')
  assert.equal(lines.length, 1, `one line, not:\n${result.stderr}`)
}

suite('client commands', {}, ({ check, server, raw }) => {
  const cli = (...args) => beeline([...args, '--address', server().address])
  const json = async (...args) => {
    const result = await cli(...args, '--json')
    assert.equal(result.code, 0, result.stderr)
    return JSON.parse(result.stdout)
  }
  // The output has one JSON object per line.
  const activate = async (type) => {
    const result = await cli('jobs', 'activate', type, '--wait', '30s', '--json')
    assert.equal(result.code, 0, result.stderr)
    return result.stdout.trim().split('\n').filter(Boolean).map((line) => JSON.parse(line))
  }
  const file = (xml) => {
    const name = path.join(temporaryDirectory(), 'process.bpmn')
    fs.writeFileSync(name, xml)
    return name
  }

  check('deploy, create, activate, complete, by hand', async () => {
    const [id, type] = [unique('p'), unique('t')]
    const deployed = await json('deploy', file(oneTask(id, type)))
    assert.equal(deployed.deployments[0].process.bpmnProcessId, id)
    const created = await json('create', id, '--variables', '{"a":1}')
    assert.equal(created.bpmnProcessId, id)
    const jobs = await activate(type)
    assert.equal(jobs.length, 1)
    assert.equal(jobs[0].processInstanceKey, created.processInstanceKey)
    const completed = await cli('jobs', 'complete', jobs[0].key, '--variables', '{"b":2}')
    assert.equal(completed.code, 0, completed.stderr)
    assert.match(completed.stdout, new RegExp(jobs[0].key))
    assertRefusal(await cli('jobs', 'complete', jobs[0].key), /no such job was found/)
  })

  check('create by version and by key, with result', async () => {
    const id = unique('p')
    const xml = oneTask(id, 'x').replace(/<bpmn:serviceTask[\s\S]*<\/bpmn:serviceTask>/, '<bpmn:task id="work"></bpmn:task>')
    const deployed = await json('deploy', file(xml))
    const { processDefinitionKey } = deployed.deployments[0].process
    assert.equal((await json('create', processDefinitionKey)).bpmnProcessId, id)
    const result = await json('create', id, '--process-version', '1', '--variables', '{"a":1}', '--with-result')
    assert.deepEqual(JSON.parse(result.variables), { a: 1 })
  })

  check('create that begins before an element and ends after another', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await json('deploy', file(oneTask(id, type)))
    const created = await json('create', id, '--start-before', 'work', '--terminate-after', 'work')
    const [job] = await activate(type)
    assert.equal(job.processInstanceKey, created.processInstanceKey)
    assert.equal((await cli('jobs', 'complete', job.key)).code, 0)
    assertRefusal(await cli('cancel', created.processInstanceKey), /no such process was found/)
    assertRefusal(await cli('create', id, '--start-before', 'nobody'), /no element found with id 'nobody'/)
    assertRefusal(await cli('create', id, '--terminate-after', 'nobody'), /no element found with id 'nobody'/)
  })

  check('fail, resolve, set variables, cancel', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await json('deploy', file(oneTask(id, type)))
    const { processInstanceKey } = await json('create', id)
    const [job] = await activate(type)
    assert.equal((await cli('jobs', 'fail', job.key, '--retries', '0', '--message', 'stuck')).code, 0)
    const incident = await server().record(
      'the incident',
      (r) => r.valueType === 'INCIDENT' && r.intent === 'CREATED' && String(r.value.jobKey) === job.key,
    )
    assert.equal(incident.value.errorMessage, 'stuck')
    assertRefusal(await cli('resolve', String(incident.key)), /no retries left/)
    await raw().call('UpdateJobRetries', { jobKey: job.key, retries: 1 })
    assert.equal((await cli('resolve', String(incident.key))).code, 0)
    assert.equal((await cli('set-variables', processInstanceKey, '--variables', '{"later":1}')).code, 0)
    const [again] = await activate(type)
    assert.deepEqual(JSON.parse(again.variables), { later: 1 })
    assert.equal((await cli('cancel', processInstanceKey)).code, 0)
    assertRefusal(await cli('cancel', processInstanceKey), /no such process was found/)
  })

  check('delete', async () => {
    const id = unique('p')
    const deployed = await json('deploy', file(oneTask(id, 'x')))
    const { processDefinitionKey } = deployed.deployments[0].process
    const { stdout, code } = await cli('delete', processDefinitionKey)
    assert.equal(code, 0)
    assert.equal(stdout, `deleted resource ${processDefinitionKey}\n`)
    assertRefusal(await cli('delete', processDefinitionKey), /no resource found with key/)
    assertRefusal(await cli('create', id), /none found/)
  })

  check('status, for people and for programs', async () => {
    const topology = await json('status')
    assert.equal(topology.partitionsCount, 1)
    const { stdout, code } = await cli('status')
    assert.equal(code, 0)
    assert.match(stdout, /partition 1 .*leader.*healthy/i)
  })

  check('mistakes are said in one sentence', async () => {
    assertRefusal(await cli('create', 'nobody'), /process ID 'nobody', but none found/)
    assertRefusal(await cli('deploy', 'no-such-file.bpmn'), /no-such-file\.bpmn/)
    assertRefusal(await cli('create', 'x', '--variables', '[1]'), /root level object/)
    assertRefusal(await beeline(['status', '--address', `127.0.0.1:${await freePort()}`]), /127\.0\.0\.1/)
  })

  check('the example of the README runs', async () => {
    const { execFile } = require('node:child_process')
    const output = await new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [path.join(ROOT, 'examples/order.js'), server().address],
        { env: { ...process.env, NODE_PATH: path.join(__dirname, 'node_modules') }, timeout: 60_000 },
        (error, stdout, stderr) => (error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout)),
      )
    })
    assert.match(output, /done: .*"carrier":"parcel"/)
    assert.match(output, /done: .*"carrier":"freight"/)
    assert.match(output, /"receipt":"19 EUR"/)
  })
})

describe('the server as a program', { timeout: 300_000 }, () => {
  const servers = []
  after(() => Promise.all(servers.map((server) => server.kill())))
  // Runs `serve` to its end; the given flags replace working ones.
  const serve = async (...args) => {
    const flags = new Map([
      ['--data', path.join(temporaryDirectory(), 'data')],
      ['--grpc', `127.0.0.1:${await freePort()}`],
      ['--http', `127.0.0.1:${await freePort()}`],
    ])
    for (let i = 0; i < args.length; i += 2) flags.set(args[i], args[i + 1])
    return beeline(['serve', ...[...flags].flat()])
  }

  it('help and version', async () => {
    const help = await beeline(['--help'])
    assert.equal(help.code, 0)
    for (const command of ['serve', 'deploy', 'create', 'jobs', 'cancel', 'inspect', 'verify', 'bench']) {
      assert.match(help.stdout, new RegExp(`\\b${command}\\b`))
    }
    assert.match((await beeline(['--version'])).stdout, /\d+\.\d+\.\d+/)
  })

  it('a setting that is wrong stops the start with a sentence that names it', async () => {
    assertRefusal(await serve('--partitions', '0'), /partitions.*'0'.*must be/)
    assertRefusal(await serve('--segment-size', 'large'), /segment-size.*'large'/)
    assertRefusal(await serve('--grpc', 'nowhere'), /grpc.*'nowhere'.*HOST:PORT/)
    assertRefusal(await serve('--config', 'no-such.toml'), /no-such\.toml/)
    const config = path.join(temporaryDirectory(), 'beeline.toml')
    fs.writeFileSync(config, 'queue-limit = 10\nno-such-setting = 1\n')
    assertRefusal(await serve('--config', config), /no-such-setting.*line 2/)
    const fromEnvironment = await beeline(['serve', '--data', temporaryDirectory()], { env: { ...process.env, BEELINE_QUEUE_LIMIT: '-1' } })
    assertRefusal(fromEnvironment, /queue-limit \(BEELINE_QUEUE_LIMIT\) is '-1'/)
  })

  it('a configuration file and the environment are heeded, flags are stronger', async () => {
    const config = path.join(temporaryDirectory(), 'beeline.toml')
    fs.writeFileSync(config, 'partitions = 2\nqueue-limit = 7\n')
    const printed = await beeline(['serve', '--config', config, '--partitions', '3', '--print-config'], {
      env: { ...process.env, BEELINE_LOG_LEVEL: 'warn' },
    })
    assert.equal(printed.code, 0, printed.stderr)
    assert.match(printed.stdout, /^partitions = 3$/m)
    assert.match(printed.stdout, /^queue-limit = 7$/m)
    assert.match(printed.stdout, /^log-level = "warn"$/m)
  })

  it('a port in use', async () => {
    const taken = net.createServer()
    await new Promise((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = `127.0.0.1:${taken.address().port}`
    for (const flag of ['--grpc', '--http']) {
      const result = await serve(flag, address)
      assert.notEqual(result.code, 0)
      assert.match(result.stderr, new RegExp(`${address}.*in use`))
    }
    taken.close()
  })

  it('a data directory that is somebody else\'s, not writable, or of another process', async () => {
    const foreign = temporaryDirectory()
    fs.writeFileSync(path.join(foreign, 'letters.txt'), 'mine')
    const refusedForeign = await serve('--data', foreign)
    assert.notEqual(refusedForeign.code, 0)
    assert.match(refusedForeign.stderr, new RegExp(foreign))
    assert.deepEqual(fs.readdirSync(foreign), ['letters.txt'], 'it was not touched')

    const file = path.join(temporaryDirectory(), 'file')
    fs.writeFileSync(file, '')
    const refusedFile = await serve('--data', file)
    assert.notEqual(refusedFile.code, 0)
    assert.match(refusedFile.stderr, new RegExp(file))

    const server = await Server.start()
    servers.push(server)
    const second = await serve('--data', server.dataDirectory)
    assert.notEqual(second.code, 0)
    assert.match(second.stderr, /another|in use|lock/i)
    assert.equal((await server.get('/health')).status, 200)
    await server.stop()
  })

  it('an address that others can reach needs insecure = true, and is warned of', async () => {
    const address = `0.0.0.0:${await freePort()}`
    assertRefusal(await serve('--grpc', address), /grpc is 0\.0\.0\.0.*insecure = true/)
    assertRefusal(await serve('--http', address), /http is 0\.0\.0\.0.*insecure = true/)
    const server = await Server.start({ args: ['--insecure', 'true'], httpHost: '0.0.0.0' })
    servers.push(server)
    assert.match(server.log, /warn.*serves 0\.0\.0\.0:\d+ without authentication/i)
    await server.stop()
  })

  it('what is on disk is for its owner alone', async () => {
    const before = process.umask(0o000)
    try {
      const server = await Server.start({ args: ['--checkpoint-interval', '100ms'] })
      servers.push(server)
      const { Raw } = require('./lib/clients')
      const client = new Raw(server.address)
      await client.call('DeployResource', { resources: [{ name: 'p.bpmn', content: Buffer.from(oneTask(unique('p'), 't')) }] })
      client.close()
      await server.stop()
      assert.equal((await beeline(['verify', '--data', server.dataDirectory])).code, 0)
      let files = 0
      for (const directory of [server.dataDirectory, server.exportDirectory]) {
        for (const name of ['.', ...fs.readdirSync(directory, { recursive: true })]) {
          const file = path.join(directory, String(name))
          const { mode } = fs.statSync(file)
          const expected = fs.statSync(file).isDirectory() ? 0o700 : 0o600
          assert.equal((mode & 0o777).toString(8), expected.toString(8), file)
          files += 1
        }
      }
      assert.ok(files > 10, `${files} files`)
    } finally {
      process.umask(before)
    }
  })

  it('the number of partitions cannot be changed afterwards', async () => {
    const server = await Server.start({ partitions: 2 })
    servers.push(server)
    await server.stop()
    const changed = await serve('--data', server.dataDirectory, '--partitions', '3')
    assert.notEqual(changed.code, 0)
    assert.match(changed.stderr, /partitions/)
  })

  it('inspect prints the log and the state, verify finds them sound, and damage is found', async () => {
    const server = await Server.start()
    servers.push(server)
    const { Raw } = require('./lib/clients')
    const client = new Raw(server.address)
    const [id, type] = [unique('p'), unique('t')]
    await client.call('DeployResource', { resources: [{ name: 'p.bpmn', content: Buffer.from(oneTask(id, type)) }] })
    const created = await client.call('CreateProcessInstance', { bpmnProcessId: id, version: -1, variables: '{"a":1}' })
    client.close()
    await server.kill()

    const log = await beeline(['inspect', '--data', server.dataDirectory])
    assert.equal(log.code, 0, log.stderr)
    assert.match(log.stdout, /C PROCESS_INSTANCE_CREATION\s+CREATE/)
    assert.match(log.stdout, /E JOB\s+CREATED/)
    assert.ok(log.stdout.includes(created.processInstanceKey))
    const asJson = await beeline(['inspect', '--data', server.dataDirectory, '--json'])
    assert.equal(asJson.code, 0, asJson.stderr)
    const first = JSON.parse(asJson.stdout.split('\n')[0])
    assert.equal(first.position, 1)

    const sound = await beeline(['verify', '--data', server.dataDirectory])
    assert.equal(sound.code, 0, sound.stdout + sound.stderr)

    // A byte in the middle of the log is flipped.
    const segment = await until('a segment', () =>
      fs
        .readdirSync(server.dataDirectory, { recursive: true })
        .map((name) => path.join(server.dataDirectory, String(name)))
        .find((name) => /segment-\d+\.log$/.test(name)),
    )
    const handle = fs.openSync(segment, 'r+')
    const byte = Buffer.alloc(1)
    fs.readSync(handle, byte, 0, 1, 128)
    byte[0] ^= 0x40
    fs.writeSync(handle, byte, 0, 1, 128)
    fs.closeSync(handle)
    const damaged = await beeline(['verify', '--data', server.dataDirectory])
    assert.notEqual(damaged.code, 0)
    assert.match(damaged.stdout + damaged.stderr, /segment-\d+/)
    const refusedStart = await serve('--data', server.dataDirectory)
    assert.notEqual(refusedStart.code, 0)
    assert.match(refusedStart.stderr, /segment-\d+/)
  })
})
