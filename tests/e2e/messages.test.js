'use strict'
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { refused } = require('./lib/clients')
const { catching, started } = require('./lib/models')
const { beeline } = require('./lib/server')
const { unique } = require('./lib/wait')

suite('messages', { concurrency: 4 }, ({ check, raw, node, sdk, deploy, server }) => {
  const publish = (request) => raw().call('PublishMessage', request)
  const create = (bpmnProcessId, variables) =>
    raw().call('CreateProcessInstance', { bpmnProcessId, version: -1, variables: JSON.stringify(variables) })
  const onlyJob = async (type) => {
    const { jobs } = await raw().activate({ type, requestTimeout: 30_000 })
    assert.equal(jobs.length, 1)
    return jobs[0]
  }
  const noJob = async (type) => {
    const { jobs } = await raw().activate({ type, requestTimeout: -1 })
    assert.equal(jobs.length, 0)
  }
  const names = () => ({ id: unique('p'), type: unique('t'), name: unique('m'), key: unique('k') })

  check('[52] a message wakes the instance that waits for it', async () => {
    const { id, type, name, key } = names()
    await deploy(catching(id, type, name))
    const instance = await create(id, { order: key })
    const answer = await publish({ name, correlationKey: key, variables: '{"amount":150}' })
    assert.ok(BigInt(answer.key) > 0n)
    assert.equal(answer.tenantId, '<default>')
    const job = await onlyJob(type)
    assert.equal(job.processInstanceKey, instance.processInstanceKey)
    assert.equal(JSON.parse(job.variables).amount, 150)
  })

  check('[52] a message waits for the subscription as long as it may', async () => {
    const { id, type, name, key } = names()
    await deploy(catching(id, type, name))
    await publish({ name, correlationKey: key, timeToLive: 0 })
    await publish({ name, correlationKey: key, timeToLive: 60_000, variables: '{"n":2}' })
    await create(id, { order: key })
    assert.equal(JSON.parse((await onlyJob(type)).variables).n, 2)
    // The message was received: the next instance waits.
    await create(id, { order: key })
    await noJob(type)
  })

  check('[53] the same id is refused while the message is there', async () => {
    const { name, key } = names()
    const request = { name, correlationKey: key, messageId: 'id-1', timeToLive: 60_000 }
    await publish(request)
    await refused(
      publish(request),
      'ALREADY_EXISTS',
      "Command 'PUBLISH' rejected with code 'ALREADY_EXISTS': Expected to publish a new message with id 'id-1', " +
        'but a message with that id was already published',
    )
    await publish({ ...request, messageId: 'id-2' })
    await publish({ ...request, correlationKey: `${key}-2` })
    await publish({ ...request, messageId: '' })
    await publish({ ...request, messageId: '' })
  })

  check('[54] a correlation key starts one instance at a time', async () => {
    const { id, type, name, key } = names()
    await deploy(started(id, type, name))
    await publish({ name, correlationKey: key, variables: '{"n":1}', timeToLive: 60_000 })
    await publish({ name, correlationKey: key, variables: '{"n":2}', timeToLive: 60_000 })
    const first = await onlyJob(type)
    assert.equal(JSON.parse(first.variables).n, 1)
    await noJob(type)
    await raw().call('CompleteJob', { jobKey: first.key })
    const second = await onlyJob(type)
    assert.equal(JSON.parse(second.variables).n, 2)
    assert.notEqual(second.processInstanceKey, first.processInstanceKey)
  })

  check('what is no message is INVALID_ARGUMENT', async () => {
    const text = 'Expected to publish message with a non-empty name, but no name was provided'
    await refused(publish({ name: '' }), 'INVALID_ARGUMENT', text)
    await refused(publish({ name: ' ' }), 'INVALID_ARGUMENT', text)
    await refused(publish({ name: 'm', variables: '[1]' }), 'INVALID_ARGUMENT')
    await refused(publish({ name: 'x'.repeat(32_769) }), 'INVALID_ARGUMENT', '32768')
  })

  check('the clients of others publish', async () => {
    const { id, type, name, key } = names()
    await deploy(catching(id, type, name))
    await create(id, { order: key })
    await node().publishMessage({ name, correlationKey: key, timeToLive: 0, variables: { by: 'zeebe-node' } })
    assert.equal(JSON.parse((await onlyJob(type)).variables).by, 'zeebe-node')
    await create(id, { order: key })
    await sdk().publishMessage({ name, correlationKey: key, timeToLive: 0, variables: { by: 'sdk' } })
    assert.equal(JSON.parse((await onlyJob(type)).variables).by, 'sdk')
  })

  check('beeline publish', async () => {
    const { id, type, name, key } = names()
    await deploy(catching(id, type, name))
    const options = ['--key', key, '--ttl', '1m', '--id', 'one', '--variables', '{"by":"cli"}', '--address', server().address]
    const published = await beeline(['publish', name, ...options])
    assert.equal(published.code, 0, published.stderr)
    assert.match(published.stdout, /^published message \S+ with key \d+\n$/)
    const again = await beeline(['publish', name, ...options])
    assert.equal(again.code, 1)
    assert.match(again.stderr, /ALREADY_EXISTS/)
    await create(id, { order: key })
    assert.equal(JSON.parse((await onlyJob(type)).variables).by, 'cli')
  })
})
