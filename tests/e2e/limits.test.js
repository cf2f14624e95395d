'use strict'
// A request beyond a limit is refused with the limit and the size; a request within it is carried
// through.
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { refused } = require('./lib/clients')
const { end, exclusive, oneTask, process, service, start } = require('./lib/models')
const { unique } = require('./lib/wait')

const MiB = 1 << 20
const text = (bytes, name = 'big') => JSON.stringify({ [name]: 'x'.repeat(bytes) })
const members = (count) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, i])))

suite('limits', {}, ({ check, raw, deploy }) => {
  const running = async (variables) => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const { processInstanceKey: key } = await raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1, variables })
    return { id, type, key }
  }

  check('a job is completed with 2.2 MB', async () => {
    const { type } = await running()
    const { jobs } = await raw().activate({ type, requestTimeout: 5000 })
    await raw().call('CompleteJob', { jobKey: jobs[0].key, variables: text(2_200_000) })
  })

  check('ten thousand variables in one request are taken, one more is refused', async () => {
    const { id, type, key } = await running(members(10_000))
    await refused(raw().call('SetVariables', { elementInstanceKey: key, variables: members(10_001) }), 'INVALID_ARGUMENT', 'Expected at most 10000 variables in one request, but found 10001')
    for (const request of [
      ['CreateProcessInstance', { bpmnProcessId: id, version: -1 }],
      ['PublishMessage', { name: 'm', correlationKey: 'k' }],
      ['CompleteJob', { jobKey: 1 }],
      ['FailJob', { jobKey: 1 }],
      ['ThrowError', { jobKey: 1 }],
    ]) {
      await refused(raw().call(request[0], { ...request[1], variables: members(10_001) }), 'INVALID_ARGUMENT', '10001')
    }
    const { jobs } = await raw().activate({ type, requestTimeout: 5000 })
    assert.equal(Object.keys(JSON.parse(jobs[0].variables)).length, 10_000)
    await raw().call('CompleteJob', { jobKey: jobs[0].key })
  })

  check('a result beyond a message is RESOURCE_EXHAUSTED with the key of the instance, which has completed', async () => {
    const id = unique('p')
    const [a, b] = [unique('a'), unique('b')]
    await deploy(process(id, [start(), service('a', { type: a }), service('b', { type: b }), end()]))
    const result = raw().call('CreateProcessInstanceWithResult', { request: { bpmnProcessId: id, version: -1 }, requestTimeout: 60_000 })
    result.catch(() => {})
    for (const type of [a, b]) {
      const { jobs } = await raw().activate({ type, requestTimeout: 10_000, fetchVariable: ['none'] })
      await raw().call('CompleteJob', { jobKey: jobs[0].key, variables: text(2.5 * MiB, type) })
    }
    const error = await refused(result, 'RESOURCE_EXHAUSTED', 'has completed')
    const key = /instance with key '(\d+)'/.exec(error.details)[1]
    await refused(raw().call('CancelProcessInstance', { processInstanceKey: key }), 'NOT_FOUND')
  })
})

suite('an instance whose expressions take all they may', {}, ({ check, raw, deploy, server }) => {
  // Uses nearly the budget of a command, again and again, with a timer in between that is due at
  // once.
  const busy = (id) => process(id,
    [
      start(),
      exclusive('again'),
      { tag: 'scriptTask', id: 'busy', extension: '<zeebe:script expression="=every i in 1..2500000 satisfies true" resultVariable="done" />' },
      { tag: 'intermediateCatchEvent', id: 'soon', body: '<bpmn:timerEventDefinition><bpmn:timeDuration>PT0S</bpmn:timeDuration></bpmn:timerEventDefinition>' },
    ],
    [['start', 'again'], ['again', 'busy'], ['busy', 'soon'], ['soon', 'again']])

  check('leaves the server time to stop within its grace, and can be canceled', async () => {
    const id = unique('busy')
    await deploy(busy(id))
    const { processInstanceKey: key } = await raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    const began = Date.now()
    const exit = await server().stop()
    assert.equal(exit.code, 0, server().tail())
    assert.ok(Date.now() - began < 5000, `the server took ${Date.now() - began} ms to stop`)
    await server().restart()
    await raw().call('CancelProcessInstance', { processInstanceKey: key })
    await refused(raw().call('CancelProcessInstance', { processInstanceKey: key }), 'NOT_FOUND')
  })
})

suite('a server that is told to stop', { args: ['--shutdown-grace', '1s'] }, ({ check, raw, deploy, server }) => {
  check('does not work off what waits, however long the expressions take', async () => {
    const id = unique('long')
    await deploy(process(id, [start(), { tag: 'scriptTask', id: 'long', extension: '<zeebe:script expression="=every i in 1..2500000 satisfies true" resultVariable="done" />' }, end()]))
    for (let i = 0; i < 60; i++) {
      raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1 }).catch(() => {})
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
    const began = Date.now()
    const exit = await server().stop()
    assert.equal(exit.code, 0, server().tail())
    assert.ok(Date.now() - began < 4000, `the server took ${Date.now() - began} ms to stop`)
    await server().start()
  })
})

suite('a limit that is set', { args: ['--message-size-max', '128KiB', '--instance-variables-max', '128KiB'] }, ({ check, raw, deploy, server }) => {
  check('an HTTP body has the limit of a gRPC message', async () => {
    const post = (bytes) =>
      server().post('/api/workflow/message', JSON.stringify({ messageName: 'nobody', variables: { big: 'x'.repeat(bytes) } }))
    assert.equal((await post(100 * 1024)).status, 404)
    assert.equal((await post(200 * 1024)).status, 413)
  })

  check('the variables of an instance have a limit, and can be made smaller', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(oneTask(id, type))
    const { processInstanceKey: key } = await raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1, variables: text(100_000) })
    const { jobs } = await raw().activate({ type, requestTimeout: 5000, fetchVariable: ['none'] })
    const complete = () => raw().call('CompleteJob', { jobKey: jobs[0].key, variables: text(50_000, 'more') })
    await refused(complete(), 'FAILED_PRECONDITION', 'would have 150011 bytes together, and at most 131072 are allowed (instance-variables-max)')
    await raw().call('SetVariables', { elementInstanceKey: key, variables: text(10) })
    await complete()
  })
})
