'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { describe, it } = require('node:test')
const { suite } = require('./lib/suite')
const { beeline, freePort, temporaryDirectory } = require('./lib/server')
const { catching, definitions, oneTask } = require('./lib/models')
const { unique, until } = require('./lib/wait')

// Running and waiting entities of a server, over HTTP and with the command line.

const file = (content, name = 'process.bpmn') => {
  const target = path.join(temporaryDirectory(), name)
  fs.writeFileSync(target, content)
  return target
}

suite('the state of a running server', { partitions: 3, concurrency: 4 }, ({ check, raw, deploy, server }) => {
  const run = (args, options) =>
    beeline(args, { ...options, env: { ...process.env, BEELINE_ADDRESS: server().address, BEELINE_HTTP: server().httpAddress } })
  const cli = async (...args) => {
    const result = await run(args)
    assert.equal(result.code, 0, result.stderr)
    return result.stdout.trim()
  }
  const lines = async (...args) => (await cli(...args, '--json')).split('\n').filter(Boolean).map((line) => JSON.parse(line))
  const refusal = async (args, text) => {
    const result = await run(args)
    assert.notEqual(result.code, 0, result.stdout)
    assert.match(result.stderr, text)
    assert.equal(result.stderr.trim().split('\n').length, 1, result.stderr)
  }
  const get = async (target) => {
    const { status, body } = await server().get(target)
    assert.equal(status, 200, body)
    return JSON.parse(body)
  }
  // A deployment reaches the other partitions before it is answered, or soon after.
  const create = (id, variables = {}) =>
    until('the process is there', () =>
      raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1, variables: JSON.stringify(variables) }),
    )

  check('an incident is made, found, understood and resolved with the command line', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const { processInstanceKey } = await create(id, { order: 7 })
    const [job] = await lines('jobs', 'activate', type, '--wait', '30s')
    assert.match(await cli('jobs', 'fail', job.key, '--retries', '0', '--message', 'no stock'), /there is an incident now/)

    const [incident] = await lines('list', 'incidents', '--process', id)
    assert.equal(incident.errorType, 'JOB_NO_RETRIES')
    assert.equal(incident.errorMessage, 'no stock')
    assert.equal(incident.processInstanceKey, processInstanceKey)
    assert.match(await cli('list', 'incidents', '--process', id), new RegExp(`^${incident.key} errorType=JOB_NO_RETRIES errorMessage="no stock"`))

    const shown = await cli('show', processInstanceKey)
    assert.match(shown, new RegExp(`^instance ${processInstanceKey} bpmnProcessId=${id} version=1`))
    assert.match(shown, /variable order = 7/)
    assert.match(shown, new RegExp(`waits for job ${job.key} type=${type} state=FAILED retries=0`))
    assert.match(shown, new RegExp(`incident ${incident.key} errorType=JOB_NO_RETRIES errorMessage="no stock"`))
    assert.match(await cli('show', String(incident.key)), /^incident .*errorMessage="no stock"/)
    assert.match(await cli('show', job.key), /^job .*errorMessage="no stock"/)

    await refusal(['resolve', incident.key], /no retries left/)
    assert.equal(await cli('jobs', 'update-retries', job.key, '2'), `set retries of job ${job.key} to 2`)
    await cli('resolve', incident.key)
    assert.equal(await cli('list', 'incidents', '--process', id), 'no incidents')
    const [again] = await lines('jobs', 'activate', type, '--wait', '30s')
    assert.equal(await cli('jobs', 'update-timeout', again.key, '10m'), `job ${again.key} times out in 10m`)
    await cli('jobs', 'complete', again.key)
    await refusal(['show', processInstanceKey], /There is nothing with the key \d+; it may have ended/)
  })

  check('lists have everything once, over partitions and pages, while things come and go', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const stay = new Set()
    for (let i = 0; i < 60; i++) stay.add((await create(id)).processInstanceKey)
    let busy = true
    const others = (async () => {
      while (busy) {
        const { processInstanceKey } = await create(id)
        await raw().call('CancelProcessInstance', { processInstanceKey })
      }
    })()
    const seen = new Map()
    const positions = new Map()
    let cursor = ''
    do {
      const page = await get(`/api/state/instances?bpmnProcessId=${id}&limit=7${cursor && `&cursor=${cursor}`}`)
      assert.ok(page.items.length <= 7)
      assert.ok(page.position >= (positions.get(page.partition) || 1), 'positions of a partition only grow')
      positions.set(page.partition, page.position)
      for (const item of page.items) seen.set(item.key, (seen.get(item.key) || 0) + 1)
      cursor = page.cursor
    } while (cursor)
    busy = false
    await others
    for (const key of stay) assert.equal(seen.get(key), 1)
    assert.equal(positions.size, 3)
    // The command line sorts them.
    const keys = (await lines('list', 'instances', '--process', id)).map((item) => BigInt(item.key))
    assert.equal(keys.length, 60)
    assert.deepEqual(keys, [...keys].sort((a, b) => (a < b ? -1 : 1)))
    const limited = await run(['list', 'instances', '--process', id, '--limit', '5'])
    assert.equal(limited.stdout.trim().split('\n').length, 5)
    assert.match(limited.stderr, /there may be more; --limit 5 is reached/)
  })

  check('an answer is shown as soon as it was given', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    for (let i = 0; i < 20; i++) {
      const { processInstanceKey } = await create(id)
      const { found } = await get(`/api/state/keys/${processInstanceKey}`)
      assert.equal(found.key, processInstanceKey)
    }
  })

  check('processes, messages and timers are listed', async () => {
    const [id, name, key] = [unique('p'), unique('m'), unique('k')]
    await deploy(catching(id, unique('t'), name))
    const [process] = await lines('list', 'processes', '--process', id)
    assert.equal(process.version, 1)
    assert.match(await cli('show', process.key), new RegExp(`^process ${process.key} bpmnProcessId=${id}`))
    // A deployment has no row of its own: it is shown by what it brought.
    const { found: deployment } = await get(`/api/state/keys/${process.deploymentKey}`)
    assert.deepEqual([deployment.kind, deployment.processes.map((each) => each.key)], ['deployment', [process.key]])
    const example = path.join(__dirname, '../../examples/discount.dmn')
    const [decision] = /(?<=key )\d+/.exec(await cli('deploy', example))
    const { deploymentKey } = (await get(`/api/state/keys/${decision}`)).found.record
    assert.match(await cli('show', deploymentKey), new RegExp(`^deployment ${deploymentKey} .*"decisionId":"discount"`))
    const published = await cli('publish', name, '--key', key, '--ttl', '10m', '--variables', '{"a":1}')
    const [message] = await lines('list', 'messages', '--name', name, '--where', `correlationKey=${key}`)
    assert.match(published, new RegExp(message.key))
    assert.match(message.expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.match(await cli('show', message.key), /variables={"a":1}/)
    // A signal that starts a process is waited for under a key of its own.
    const signal = unique('signal')
    const begins = `<bpmn:startEvent id="start"><bpmn:signalEventDefinition signalRef="s" /></bpmn:startEvent>`
    await deploy(definitions(`<bpmn:signal id="s" name="${signal}" /><bpmn:process id="${unique('p')}" isExecutable="true">${begins}</bpmn:process>`))
    const [event] = await lines('list', 'events', '--name', signal)
    assert.match(await cli('show', event.key), new RegExp(`^signalSubscription ${event.key} .*"signalName":"${signal}"`))
    const timers = await run(['list', 'timers', '--process', id])
    assert.equal(timers.stdout, 'no timers\n')
    await refusal(['list', 'messages', '--type', 'x'], /Expected a parameter of messages to be limit, cursor or one of key, name/)
  })

  check('jobs fail takes one retry away unless told', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    await create(id)
    for (const left of [2, 1, 0]) {
      const [job] = await lines('jobs', 'activate', type, '--wait', '30s')
      assert.match(await cli('jobs', 'fail', job.key), new RegExp(`retries left: ${left}`))
    }
    assert.equal((await lines('list', 'incidents', '--process', id)).length, 1)
    await refusal(['jobs', 'fail', '7'], /There is nothing with the key 7.*--retries/)
  })

  check('jobs throw-error', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    await create(id)
    const [job] = await lines('jobs', 'activate', type, '--wait', '30s')
    assert.equal(await cli('jobs', 'throw-error', job.key, 'E1', '--message', 'odd'), `threw error E1 for job ${job.key}`)
    const [incident] = await lines('list', 'incidents', '--process', id)
    assert.equal(incident.errorType, 'UNHANDLED_ERROR_EVENT')
  })

  check('create --with-result that times out names the instance, which continues', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    await create(id)
    const result = await run(['create', id, '--with-result', '--request-timeout', '500ms'])
    assert.notEqual(result.code, 0)
    const [, key] = /Instance (\d+) of \S+ had no result within 500ms; it continues/.exec(result.stderr)
    assert.match(await cli('show', key), new RegExp(`^instance ${key} bpmnProcessId=${id}`))
  })

  check('jobs activate that finds nothing says so', async () => {
    const result = await run(['jobs', 'activate', 'nobody-works-here'])
    assert.deepEqual(result, { code: 0, stdout: '', stderr: 'no job of type nobody-works-here is waiting\n' })
  })

  check('status has the version and the real ports', async () => {
    const version = (await beeline(['--version'])).stdout.trim()
    const status = await cli('status')
    assert.ok(status.startsWith(`${version} serves gRPC on ${server().address} (Zeebe 8.8.0) and HTTP on ${server().httpAddress}\n`), status)
    const topology = await raw().call('Topology')
    assert.equal(topology.brokers[0].port, server().grpcPort)
  })

  check('a status code is printed once', async () => {
    const { stderr } = await run(['jobs', 'complete', '7'])
    assert.equal(stderr.match(/NOT_FOUND/g).length, 1, stderr)
    // The server answers, although the key names a partition that it does not have.
    const elsewhere = await run(['jobs', 'complete', String(1000n << 51n)])
    assert.match(elsewhere.stderr, /^beeline: UNAVAILABLE: Expected to execute command on partition 1000/)
    const invalid = await run(['create', 'x', '--variables', '[1]'])
    assert.equal(invalid.stderr.match(/INVALID_ARGUMENT/g).length, 1, invalid.stderr)
  })

  check('--variables and --context take JSON, @file or the input', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    await create(id)
    const input = await run(['create', id, '--variables', '-'], { input: '{"from":"input"}' })
    assert.equal(input.code, 0, input.stderr)
    await cli('create', id, '--variables', `@${file('{"from":"file"}', 'v.json')}`)
    const jobs = await until('three jobs', async () => {
      const found = await lines('list', 'jobs', '--type', type)
      return found.length === 3 && found
    })
    const variables = await Promise.all(jobs.map(async (job) => (await get(`/api/state/keys/${job.processInstanceKey}`)).found.elements[0].variables))
    assert.deepEqual(variables.map((each) => each?.from).sort(), ['file', 'input', undefined])
    assert.equal((await beeline(['feel', 'a + 1', '--context', '{"a":1}'])).stdout, '2\n')
    assert.equal((await beeline(['feel', 'a + 1', '--context', '-'], { input: '{"a":2}' })).stdout, '3\n')
    const wrong = await beeline(['feel', '1', '--context', 'context.json'])
    assert.match(wrong.stderr, /Failed to read --context \(a JSON object, @FILE, or - for the standard input\): expected a JSON object/)
  })
})

describe('the command line', () => {
  it('names the nearest command', async () => {
    const wrong = async (args, text) => {
      const result = await beeline(args)
      assert.equal(result.code, 2)
      assert.match(result.stderr, text)
      assert.equal(result.stderr.trim().split('\n').length, 1)
    }
    await wrong(['stauts'], /There is no command 'beeline stauts'; the nearest is 'beeline status'/)
    await wrong(['jobs', 'compleet', '7'], /There is no command 'beeline jobs compleet'; the nearest is 'beeline jobs complete'/)
  })

  it('names the member that is wrong and the command whose help explains it', async () => {
    const wrong = async (args, text) => {
      const result = await beeline(args)
      assert.equal(result.code, 2)
      assert.equal(result.stderr, `beeline: ${text}\n`)
    }
    await wrong(['show', 'x'], "key: must be a key, which is a number, but it is 'x' (beeline show --help shows how it is used)")
    await wrong(['jobs', 'complete'], 'job is required (beeline jobs complete --help shows how it is used)')
    await wrong([], 'A subcommand is required (beeline --help shows how it is used)')
  })

  it('says that nobody answers over HTTP', async () => {
    const result = await beeline(['list', 'jobs', '--http', `127.0.0.1:${await freePort()}`])
    assert.equal(result.code, 1)
    assert.match(result.stderr, /^beeline: No server answers over HTTP at 127\.0\.0\.1:\d+ \(Connection refused\)/)
  })
})
