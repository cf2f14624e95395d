'use strict'
const assert = require('node:assert/strict')
const { describe, it } = require('node:test')
const { suite } = require('./lib/suite')
const { Clients } = require('./lib/clients')
const { catching, started } = require('./lib/models')
const { Server } = require('./lib/server')
const { unique, until } = require('./lib/wait')

// POST /api/workflow/message delivers a message to a subscription that waits now, and returns the
// receiver.

const PATH = '/api/workflow/message'

// A task with an interrupting message boundary event, after which another task waits.
const guarded = (id, type, late, name) => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="test">
  <bpmn:message id="m" name="${name}"><bpmn:extensionElements><zeebe:subscription correlationKey="=order" /></bpmn:extensionElements></bpmn:message>
  <bpmn:process id="${id}" isExecutable="true">
    <bpmn:startEvent id="start" /><bpmn:sequenceFlow id="f1" sourceRef="start" targetRef="work" />
    <bpmn:serviceTask id="work"><bpmn:extensionElements><zeebe:taskDefinition type="${type}" /></bpmn:extensionElements></bpmn:serviceTask>
    <bpmn:sequenceFlow id="f2" sourceRef="work" targetRef="end" /><bpmn:endEvent id="end" />
    <bpmn:boundaryEvent id="stop" attachedToRef="work"><bpmn:messageEventDefinition messageRef="m" /></bpmn:boundaryEvent>
    <bpmn:sequenceFlow id="f3" sourceRef="stop" targetRef="late" />
    <bpmn:serviceTask id="late"><bpmn:extensionElements><zeebe:taskDefinition type="${late}" /></bpmn:extensionElements></bpmn:serviceTask>
    <bpmn:sequenceFlow id="f4" sourceRef="late" targetRef="end2" /><bpmn:endEvent id="end2" />
  </bpmn:process>
</bpmn:definitions>`

const names = () => ({ id: unique('p'), type: unique('t'), name: unique('m'), key: unique('k') })

// Checks a problem with this status whose message, in both places, matches.
function problem(answer, status, text) {
  assert.equal(answer.status, status, answer.body)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  const body = JSON.parse(answer.body)
  assert.equal(body.status, status)
  assert.equal(body.detail, body.error)
  assert.match(body.error, text)
}

suite('REST messages', { partitions: 3, concurrency: 4 }, ({ check, raw, deploy, server }) => {
  const send = (message) => server().post(PATH, JSON.stringify(message))
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
  // A subscription may still be on its way to the partition of its key; until it has arrived, the
  // answer is 404.
  const delivered = async (message) => {
    return until('the message is delivered', async () => {
      const answer = await send(message)
      if (answer.status === 404) return undefined
      assert.equal(answer.status, 200, answer.body)
      assert.equal(answer.headers['content-type'], 'application/json')
      return JSON.parse(answer.body)
    })
  }

  check('F-M1 a message reaches the instance that waits, with its variables', async () => {
    const { id, type, name, key } = names()
    await deploy(catching(id, type, name))
    const instance = await create(id, { order: key })
    const answer = await delivered({ messageName: name, correlationKey: key, variables: { amount: 150.5, big: 1 } })
    assert.equal(answer.delivered, true)
    assert.deepEqual(answer.workflowInstanceIds, [instance.processInstanceKey])
    assert.match(answer.messageKey, /^\d+$/)
    const job = await onlyJob(type)
    assert.equal(job.processInstanceKey, instance.processInstanceKey)
    assert.deepEqual(JSON.parse(job.variables), { order: key, amount: 150.5, big: 1 })
  })

  check('F-M2 another key is not found, and the instance still waits', async () => {
    const { id, type, name, key } = names()
    await deploy(catching(id, type, name))
    await create(id, { order: key })
    const wrong = await send({ messageName: name, correlationKey: `${key}-other` })
    problem(wrong, 404, new RegExp(`^No subscription or start event found for message '${name}'`))
    await noJob(type)
    await delivered({ messageName: name, correlationKey: key })
    await onlyJob(type)
  })

  check('F-M3 F-M4 a boundary event is taken once, and not after its task', async () => {
    const { id, type, name, key } = names()
    const late = unique('late')
    await deploy(guarded(id, type, late, name))
    await create(id, { order: key })
    await delivered({ messageName: name, correlationKey: key })
    await onlyJob(late)
    await noJob(type)
    problem(await send({ messageName: name, correlationKey: key }), 404, /none was found/)
    await create(id, { order: key })
    const job = await onlyJob(type)
    await raw().call('CompleteJob', { jobKey: job.key })
    problem(await send({ messageName: name, correlationKey: key }), 404, /none was found/)
  })

  check('F-M10 two that wait for the same are served in turn', async () => {
    const { id, type, name, key } = names()
    await deploy(catching(id, type, name))
    const instances = [await create(id, { order: key }), await create(id, { order: key })]
    const first = await delivered({ messageName: name, correlationKey: key })
    const second = await delivered({ messageName: name, correlationKey: key })
    assert.deepEqual(
      [...first.workflowInstanceIds, ...second.workflowInstanceIds].sort(),
      instances.map((instance) => instance.processInstanceKey).sort(),
    )
  })

  check('a message without a key, and one for a certain instance', async () => {
    const { id, type, name } = names()
    await deploy(catching(id, type, name, ''))
    await create(id, {})
    const second = await create(id, {})
    const answer = await delivered({ messageName: name, workflowInstanceId: second.processInstanceKey })
    assert.deepEqual(answer.workflowInstanceIds, [second.processInstanceKey])
    problem(await send({ messageName: name, workflowInstanceId: second.processInstanceKey }), 404, /none was found/)
    await delivered({ messageName: name, correlationKey: null })
  })

  check('C6 a start event; while its instance runs the answer names the process', async () => {
    const { id, type, name, key } = names()
    await deploy(started(id, type, name))
    const answer = await delivered({ messageName: name, correlationKey: key, variables: { n: 1 } })
    const job = await onlyJob(type)
    assert.deepEqual(answer.workflowInstanceIds, [job.processInstanceKey])
    problem(await send({ messageName: name, correlationKey: key }), 404, new RegExp(`of process '${id}'`))
    await raw().call('CompleteJob', { jobKey: job.key })
    await delivered({ messageName: name, correlationKey: key })
  })

  check('a message is never kept', async () => {
    const { id, type, name, key } = names()
    await deploy(catching(id, type, name))
    problem(await send({ messageName: name, correlationKey: key }), 404, /none was found/)
    await create(id, { order: key })
    await noJob(type)
  })

  check('C9 what is wrong with a request is said', async () => {
    const bad = [
      ['', /body is missing/],
      ['{', /not valid JSON/],
      ['[]', /expected a JSON object/],
      ['{}', /'messageName' that is not blank/],
      ['{"messageName":" "}', /'messageName' that is not blank/],
      ['{"messageName":1}', /'messageName' to be a string/],
      ['{"messageName":"m","correlationKey":1}', /'correlationKey' to be a string/],
      ['{"messageName":"m","variables":[]}', /root level object, but was 'ARRAY'/],
      ['{"messageName":"m","timeToLive":1}', /'timeToLive'.*not buffered/],
      ['{"messageName":"m","messageId":"1"}', /'messageId'.*not buffered/],
      ['{"messageName":"m","workflowInstanceId":"x"}', /not a valid key/],
      ['{"messageName":"m","surprise":1}', /\[surprise\]/],
      [JSON.stringify({ messageName: 'x'.repeat(32_769) }), /at most 32768 characters/],
    ]
    for (const [body, text] of bad) problem(await server().post(PATH, body), 400, text)
    problem(await server().post(PATH, '{"messageName":"m"}', { 'Content-Type': 'text/plain' }), 415, /application\/json/)
    const { id, type, name, key } = names()
    await deploy(catching(id, type, name))
    const instance = await create(id, { order: key })
    const answer = await delivered({ MessageName: name, CorrelationKey: key, Variables: { a: 1 } })
    assert.deepEqual(answer.workflowInstanceIds, [instance.processInstanceKey])
  })

  check('another method is 405, a body that is too large 413', async () => {
    const answer = await server().get(PATH)
    assert.equal(answer.status, 405)
    assert.equal(answer.headers.allow, 'POST')
    const large = await server().post(PATH, JSON.stringify({ messageName: 'm', variables: { x: 'x'.repeat(5_000_000) } }))
    assert.equal(large.status, 413)
  })

  check('many at a time, each answered with its own instance', async () => {
    const { id, type, name } = names()
    await deploy(catching(id, type, name))
    const orders = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const order = `${name}-${i}`
        return { order, key: (await create(id, { order })).processInstanceKey }
      }),
    )
    const answers = await Promise.all(
      orders.map(({ order }) => delivered({ messageName: name, correlationKey: order })),
    )
    assert.deepEqual(
      answers.map((answer) => answer.workflowInstanceIds[0]),
      orders.map((order) => order.key),
    )
  })
})

describe('REST messages over a crash', () => {
  it('F-M13 what waited still does, and what was answered has happened', { timeout: 120_000 }, async () => {
    const server = await Server.start({ partitions: 3 })
    const clients = new Clients(server)
    try {
      const { id, type, name, key } = names()
      const content = Buffer.from(catching(id, type, name))
      await clients.raw().call('DeployResource', { resources: [{ name: 'p.bpmn', content }] })
      const create = (order) =>
        clients.raw().call('CreateProcessInstance', {
          bpmnProcessId: id,
          version: -1,
          variables: JSON.stringify({ order }),
        })
      const send = (order) =>
        until('the message is delivered', async () => {
          const answer = await server.post(PATH, JSON.stringify({ messageName: name, correlationKey: order }))
          return answer.status === 200 && JSON.parse(answer.body)
        })
      const first = await create(`${key}-1`)
      const second = await create(`${key}-2`)
      const before = await send(`${key}-1`)
      assert.deepEqual(before.workflowInstanceIds, [first.processInstanceKey])
      await server.kill()
      await server.restart()
      const after = await send(`${key}-2`)
      assert.deepEqual(after.workflowInstanceIds, [second.processInstanceKey])
      const taken = await until('both jobs are there', async () => {
        const { jobs } = await clients.raw().activate({ type, timeout: 1, requestTimeout: 1_000 })
        return jobs.length === 2 && jobs
      })
      assert.deepEqual(
        taken.map((job) => job.processInstanceKey).sort(),
        [first.processInstanceKey, second.processInstanceKey].sort(),
      )
    } finally {
      await clients.close()
      await server.stop()
    }
  })
})
