'use strict'
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { Raw, UNKNOWN_KEY, refused } = require('./lib/clients')
const { definitions, end, oneTask, process, service, start } = require('./lib/models')
const { unique, until, within } = require('./lib/wait')

// These tests mostly wait, so many of them wait at the same time.
suite('jobs', { concurrency: 12 }, ({ check, raw, deploy, server }) => {
  const oneTaskProcess = async (options) => {
    const id = unique('p')
    const type = unique('t')
    await deploy(oneTask(id, type, options))
    return { id, type }
  }
  const create = (id, variables = {}) =>
    raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1, variables: JSON.stringify(variables) })
  const complete = (jobKey, variables = '') => raw().call('CompleteJob', { jobKey, variables })
  const next = async (type, more = {}) => {
    const { jobs } = await raw().activate({ type, requestTimeout: 50_000, maxJobsToActivate: 1, ...more })
    assert.equal(jobs.length, 1, 'one job is offered')
    return jobs[0]
  }
  const noneOffered = async (type) => assert.deepEqual((await raw().activate({ type })).jobs, [])

  check('a job carries all that its worker needs', async () => {
    const { id, type } = await oneTaskProcess({ retries: 5, headers: { url: 'x', 'a b': '"q"' } })
    const before = Date.now()
    const instance = await create(id, { a: 1 })
    const job = await next(type, { worker: 'me', timeout: 30_000 })
    assert.equal(BigInt(job.key) >> 51n, 1n)
    assert.equal(job.type, type)
    assert.equal(job.processInstanceKey, instance.processInstanceKey)
    assert.equal(job.bpmnProcessId, id)
    assert.equal(job.processDefinitionVersion, 1)
    assert.equal(job.processDefinitionKey, instance.processDefinitionKey)
    assert.equal(job.elementId, 'work')
    assert.ok(BigInt(job.elementInstanceKey) > 0n)
    assert.deepEqual(JSON.parse(job.customHeaders), { url: 'x', 'a b': '"q"' })
    assert.equal(job.worker, 'me')
    assert.equal(job.retries, 5)
    assert.ok(Number(job.deadline) >= before + 30_000 && Number(job.deadline) <= Date.now() + 30_000)
    assert.equal(job.variables, '{"a":1}')
    assert.equal(job.tenantId, '<default>')
    // [35]
    assert.equal(job.kind, 'BPMN_ELEMENT')
    assert.equal(job.listenerEventType, 'UNSPECIFIED')
  })

  check('the job of a user task carries who should do it, until when and with which form', async () => {
    const id = unique('ask')
    await raw().call('DeployResource', {
      resources: [
        {
          name: `${id}.bpmn`,
          content: Buffer.from(
            definitions(`<bpmn:process id="${id}" isExecutable="true"><bpmn:startEvent id="start" />
              <bpmn:sequenceFlow id="flow" sourceRef="start" targetRef="ask" />
              <bpmn:userTask id="ask"><bpmn:extensionElements>
                <zeebe:assignmentDefinition assignee="=boss" candidateGroups="sales, ops" candidateUsers="=[boss]" />
                <zeebe:taskSchedule dueDate="2026-10-01T12:00:00Z" />
                <zeebe:formDefinition formKey="form-1" />
              </bpmn:extensionElements></bpmn:userTask></bpmn:process>`),
          ),
        },
      ],
    })
    await create(id, { boss: 'ann' })
    const job = await next('io.camunda.zeebe:userTask')
    assert.equal(job.retries, 1)
    assert.deepEqual(JSON.parse(job.customHeaders), {
      'io.camunda.zeebe:assignee': 'ann',
      'io.camunda.zeebe:candidateGroups': '["sales","ops"]',
      'io.camunda.zeebe:candidateUsers': '["ann"]',
      'io.camunda.zeebe:dueDate': '2026-10-01T12:00Z',
      'io.camunda.zeebe:formKey': 'form-1',
    })
  })

  check('[34] without headers and variables both are an empty object', async () => {
    const { id, type } = await oneTaskProcess()
    await create(id)
    const job = await next(type)
    assert.equal(job.customHeaders, '{}')
    assert.equal(job.variables, '{}')
    assert.equal(job.retries, 3)
  })

  check('[25] at most as many as asked for, the rest by the next call, none twice, oldest first', async () => {
    const { id, type } = await oneTaskProcess()
    for (let i = 0; i < 7; i++) await create(id, { i })
    const first = await raw().activate({ type, maxJobsToActivate: 4 })
    const second = await raw().activate({ type, maxJobsToActivate: 32 })
    assert.equal(first.jobs.length, 4)
    assert.equal(second.jobs.length, 3)
    const order = [...first.jobs, ...second.jobs].map((job) => JSON.parse(job.variables).i)
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6])
    await noneOffered(type)
  })

  check('higher priority is served first', async () => {
    const id = unique('priority')
    const type = unique('priority')
    await deploy(process(id, [start(), service('work', { type, priority: '=p' }), end()]))
    for (const p of [1, 50, -3, 50, 0]) await create(id, { p })
    const { jobs } = await raw().activate({ type })
    assert.deepEqual(jobs.map((job) => job.priority), [50, 50, 1, 0, -3])
  })

  check('[26] nothing there and no waiting: OK at once without a message', async () => {
    await raw().call('Topology')
    const answer = await raw().activate({ type: unique('none'), requestTimeout: -1 })
    assert.equal(answer.messages, 0)
    assert.ok(answer.millis < 2000, `${answer.millis} ms`)
  })

  check('[27] nothing there: OK without a message when the time is up', async () => {
    const answer = await raw().activate({ type: unique('none'), requestTimeout: 2000 })
    assert.equal(answer.messages, 0)
    assert.ok(answer.millis >= 1950 && answer.millis < 10_000, `${answer.millis} ms`)
  })

  check('[27] request timeout 0 waits the server default of ten seconds', async () => {
    const answer = await raw().activate({ type: unique('none'), requestTimeout: 0 })
    assert.equal(answer.messages, 0)
    assert.ok(answer.millis >= 9900 && answer.millis < 25_000, `${answer.millis} ms`)
  })

  check('[28] a parked call gets a job as soon as there is one', async () => {
    const { id, type } = await oneTaskProcess()
    const parked = raw().activate({ type, requestTimeout: 50_000 })
    await until('the call is parked', () => raw().call('Topology'))
    await create(id)
    const { jobs } = await parked
    assert.equal(jobs.length, 1)
  })

  check('[29] a job is not lost to parked calls whose clients are gone', async () => {
    const { id, type } = await oneTaskProcess()
    const gone = new Raw(server().address)
    const abandoned = [1, 2, 3].map(() => gone.openActivate({ type, requestTimeout: 50_000 }))
    await gone.call('Topology')
    const live = raw().activate({ type, requestTimeout: 50_000 })
    for (const call of abandoned) call.cancel()
    await Promise.all(abandoned.map((call) => call.ended))
    gone.close()
    await create(id)
    const { jobs, millis } = await live
    assert.equal(jobs.length, 1)
    assert.ok(millis < 30_000, `${millis} ms`)
  })

  check('[30] two parked calls, two jobs: both are served', async () => {
    const { id, type } = await oneTaskProcess()
    const one = raw().activate({ type, requestTimeout: 50_000, maxJobsToActivate: 1 })
    const other = raw().activate({ type, requestTimeout: 50_000, maxJobsToActivate: 1 })
    await raw().call('Topology')
    await create(id)
    await create(id)
    const keys = [...(await one).jobs, ...(await other).jobs].map((job) => job.key)
    assert.equal(new Set(keys).size, 2)
  })

  check('[31] ten jobs of a megabyte arrive in one call, no message above 4 MiB', async () => {
    const { id, type } = await oneTaskProcess()
    for (let i = 0; i < 10; i++) await create(id, { i, pad: 'x'.repeat(1024 * 1024) })
    const small = new Raw(server().address, { 'grpc.max_receive_message_length': 4 * 1024 * 1024 })
    const { jobs, messages } = await small.activate({ type, maxJobsToActivate: 10 })
    small.close()
    assert.equal(jobs.length, 10)
    assert.ok(messages >= 3, `${messages} messages`)
    assert.equal(new Set(jobs.map((job) => job.key)).size, 10)
  })

  check('[33] fetchVariable: what is named, nearest scope first', async () => {
    const { id, type } = await oneTaskProcess({ inputs: [['="inner"', 'shadow']] })
    await create(id, { a: 1, b: 2, shadow: 'outer' })
    const some = await next(type, { fetchVariable: ['a', 'shadow', 'unknown'], timeout: 1 })
    assert.deepEqual(JSON.parse(some.variables), { a: 1, shadow: 'inner' })
    const all = await next(type)
    assert.deepEqual(JSON.parse(all.variables), { a: 1, b: 2, shadow: 'inner' })
  })

  check('[36] what cannot be asked for is refused at once', async () => {
    const prefix = "Command 'ACTIVATE' rejected with code 'INVALID_ARGUMENT': Expected to activate job batch with "
    const wait = { requestTimeout: 50_000 }
    await refused(
      raw().activate({ ...wait, type: 'x', maxJobsToActivate: 0 }),
      'INVALID_ARGUMENT',
      `${prefix}max jobs to activate to be greater than zero, but it was '0'`,
    )
    await refused(
      raw().activate({ ...wait, type: 'x', timeout: 0 }),
      'INVALID_ARGUMENT',
      `${prefix}timeout to be greater than zero, but it was '0'`,
    )
    await refused(
      raw().activate({ ...wait, type: '' }),
      'INVALID_ARGUMENT',
      `${prefix}type to be present, but it was blank`,
    )
  })

  check('[37] not completed in time: offered again, retries unchanged, deadline later', async () => {
    const { id, type } = await oneTaskProcess({ retries: 2 })
    await create(id)
    const first = await next(type, { timeout: 1000 })
    const second = await next(type, { timeout: 60_000 })
    assert.ok(Number(second.deadline) - 60_000 >= Number(first.deadline), 'not before its deadline')
    assert.equal(second.key, first.key)
    assert.equal(second.retries, 2)
    assert.ok(BigInt(second.deadline) > BigInt(first.deadline))
  })

  check('[38] completing after the deadline is fine while nobody else has the job', async () => {
    const { id, type } = await oneTaskProcess()
    await create(id)
    const job = await next(type, { timeout: 1 })
    await until('the deadline is past', () => Date.now() > Number(job.deadline) + 5)
    await complete(job.key)
  })

  check('[39] completing twice: the second is NOT_FOUND with the exact text', async () => {
    const { id, type } = await oneTaskProcess()
    await create(id)
    const { key } = await next(type)
    await complete(key)
    const error = await refused(complete(key), 'NOT_FOUND')
    assert.equal(
      error.details,
      `Command 'COMPLETE' rejected with code 'NOT_FOUND': Expected to complete job with key '${key}', but no such job was found`,
    )
  })

  check('a job nobody activated can be completed', async () => {
    const { id, type } = await oneTaskProcess()
    const { processInstanceKey } = await create(id)
    const created = await server().record(
      'the job is exported',
      (r) => r.valueType === 'JOB' && r.intent === 'CREATED' && String(r.value.processInstanceKey) === processInstanceKey,
    )
    await complete(String(created.key))
    await noneOffered(type)
  })

  check('[40] failed with retries left: offered again at once with that many', async () => {
    const { id, type } = await oneTaskProcess()
    await create(id)
    const { key } = await next(type)
    await raw().call('FailJob', { jobKey: key, retries: 2, errorMessage: 'no' })
    const again = await next(type)
    assert.equal(again.key, key)
    assert.equal(again.retries, 2)
  })

  check('[40] [41] failed with a back-off: not before it is over, and not to be completed meanwhile', async () => {
    const { id, type } = await oneTaskProcess()
    await create(id)
    const { key } = await next(type)
    const started = Date.now()
    await raw().call('FailJob', { jobKey: key, retries: 1, retryBackOff: 2000 })
    await refused(
      complete(key),
      'FAILED_PRECONDITION',
      `Command 'COMPLETE' rejected with code 'INVALID_STATE': Expected to complete job with key '${key}', but it is in state 'FAILED'`,
    )
    const again = await next(type)
    const millis = Date.now() - started
    assert.equal(again.key, key)
    assert.ok(millis >= 1950, `${millis} ms`)
  })

  check('[43] failing with variables: the next worker sees them', async () => {
    const { id, type } = await oneTaskProcess()
    await create(id, { a: 1 })
    const { key } = await next(type)
    await raw().call('FailJob', { jobKey: key, retries: 1, variables: '{"why":"later"}' })
    assert.deepEqual(JSON.parse((await next(type)).variables), { a: 1, why: 'later' })
  })

  check('[43] retries must be positive, and the job must be there', async () => {
    const { id, type } = await oneTaskProcess()
    await create(id)
    const { key } = await next(type)
    for (const retries of [0, -1]) {
      await refused(
        raw().call('UpdateJobRetries', { jobKey: key, retries }),
        'INVALID_ARGUMENT',
        `Command 'UPDATE_RETRIES' rejected with code 'INVALID_ARGUMENT': Expected to update retries for job with key '${key}' with a positive amount of retries, but the amount given was '${retries}'`,
      )
    }
    await refused(
      raw().call('UpdateJobRetries', { jobKey: UNKNOWN_KEY, retries: 1 }),
      'NOT_FOUND',
      `Expected to update job with key '${UNKNOWN_KEY}', but no such job was found`,
    )
  })

  check('[44] the timeout of an active job can be shortened and extended', async () => {
    const { id, type } = await oneTaskProcess()
    await create(id)
    const { key } = await next(type, { timeout: 3_600_000 })
    await raw().call('UpdateJobTimeout', { jobKey: key, timeout: 1 })
    const again = await next(type, { timeout: 1000 })
    assert.equal(again.key, key)
    await raw().call('UpdateJobTimeout', { jobKey: key, timeout: 3_600_000 })
    const parked = await raw().activate({ type, requestTimeout: 3000 })
    assert.deepEqual(parked.jobs, [], 'still held after its first deadline')
    await raw().call('FailJob', { jobKey: key, retries: 1 })
    await refused(
      raw().call('UpdateJobTimeout', { jobKey: key, timeout: 1000 }),
      'FAILED_PRECONDITION',
      `Expected to update the timeout of job with key '${key}', but it is not active`,
    )
  })

  for (const [rpc, verb, request] of [
    ['CompleteJob', 'complete', {}],
    ['FailJob', 'fail', { retries: 1 }],
    ['ThrowError', 'throw an error for', { errorCode: 'e' }],
    ['UpdateJobRetries', 'update', { retries: 1 }],
    ['UpdateJobTimeout', 'update', { timeout: 1000 }],
  ]) {
    check(`${rpc} of an unknown job is NOT_FOUND`, async () => {
      for (const jobKey of [UNKNOWN_KEY, '0', '-1', '-9223372036854775808']) {
        await refused(
          raw().call(rpc, { jobKey, ...request }),
          'NOT_FOUND',
          `Expected to ${verb} job with key '${jobKey}', but no such job was found`,
        )
      }
    })
  }

  check('completing with something that is no object is refused and the job stays', async () => {
    const { id, type } = await oneTaskProcess()
    await create(id)
    const { key } = await next(type)
    await refused(complete(key, '[1]'), 'INVALID_ARGUMENT', "root level object, but was 'ARRAY'")
    await refused(complete(key, '{"a"'), 'INVALID_ARGUMENT', 'Invalid JSON value')
    await complete(key, '{"a":1}')
  })

  check('[64] a client deadline on a parked call: the next job is not lost to it', async () => {
    const { id, type } = await oneTaskProcess()
    await refused(
      raw().activate({ type, requestTimeout: 50_000 }, { deadlineMs: 1000 }),
      'DEADLINE_EXCEEDED',
    )
    await create(id)
    await next(type)
  })

  check('a parked call whose connection is cut does not take the job along', async () => {
    const { id, type } = await oneTaskProcess()
    const cut = new Raw(server().address)
    const call = cut.openActivate({ type, requestTimeout: 50_000 })
    await cut.call('Topology')
    cut.close()
    call.cancel()
    await within('the call ends', call.ended)
    await create(id)
    await next(type)
  })
})
