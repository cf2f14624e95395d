'use strict'
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { UNKNOWN_KEY, refused } = require('./lib/clients')
const {
  definitions, end, exclusive, manual, oneTask, parallel, process, service, start, subprocess, undefinedTask,
} = require('./lib/models')
const { unique, until } = require('./lib/wait')

suite('process instances', { concurrency: 4 }, ({ check, raw, node, sdk, deploy, server }) => {
  const create = (request) => raw().call('CreateProcessInstance', { version: -1, ...request })
  const withResult = (request, more = {}) =>
    raw().call('CreateProcessInstanceWithResult', { request: { version: -1, ...request }, requestTimeout: 30_000, ...more })
  const onlyJob = async (type, more = {}) => {
    const { jobs } = await raw().activate({ type, requestTimeout: 30_000, ...more })
    assert.equal(jobs.length, 1)
    return jobs[0]
  }
  // Deploys a process of one task; returns its id and the type of its job.
  const oneTaskProcess = async (options) => {
    const id = unique('p')
    const type = unique('t')
    const metadata = await deploy(oneTask(id, type, options))
    return { id, type, key: metadata.processDefinitionKey }
  }

  check('[12] by id: the newest version, a given one; by key', async () => {
    const id = unique('versions')
    const first = await deploy(oneTask(id, 'a'))
    const second = await deploy(oneTask(id, 'b'))
    assert.equal((await create({ bpmnProcessId: id })).version, 2)
    const old = await create({ bpmnProcessId: id, version: 1 })
    assert.equal(old.version, 1)
    assert.equal(old.processDefinitionKey, first.processDefinitionKey)
    const byKey = await create({ processDefinitionKey: second.processDefinitionKey })
    assert.equal(byKey.version, 2)
    assert.equal(byKey.bpmnProcessId, id)
    assert.equal(byKey.tenantId, '<default>')
    assert.ok(BigInt(byKey.processInstanceKey) >> 51n === 1n)
  })

  check('[18] an instance begins before the elements that are named and ends after one', async () => {
    const id = unique('anywhere')
    const [pack, ship, bill] = [unique('pack'), unique('ship'), unique('bill')]
    await deploy(
      process(id, [
        start(),
        service('pack', { type: pack }),
        subprocess('send', [start('s'), service('ship', { type: ship }), end('e')]),
        service('bill', { type: bill }),
        end(),
      ]),
    )
    const { processInstanceKey } = await sdk().createProcessInstance({
      bpmnProcessId: id,
      variables: { a: 1 },
      startInstructions: [{ elementId: 'ship' }, { elementId: 'bill' }],
    })
    const shipped = await onlyJob(ship)
    assert.equal(shipped.processInstanceKey, processInstanceKey)
    assert.deepEqual(JSON.parse(shipped.variables), { a: 1 })
    await raw().call('CompleteJob', { jobKey: shipped.key, variables: '{}' })
    for (let left = 2; left > 0; left -= 1) {
      const job = await onlyJob(bill, { maxJobsToActivate: 1 })
      await raw().call('CompleteJob', { jobKey: job.key, variables: '{}' })
    }
    await refused(
      raw().call('CancelProcessInstance', { processInstanceKey }), 'NOT_FOUND', 'no such process was found')

    const ending = await create({
      bpmnProcessId: id,
      runtimeInstructions: [{ terminate: { afterElementId: 'pack' } }],
    })
    const packed = await onlyJob(pack)
    await raw().call('CompleteJob', { jobKey: packed.key, variables: '{}' })
    await refused(
      raw().call('CancelProcessInstance', { processInstanceKey: ending.processInstanceKey }),
      'NOT_FOUND', 'no such process was found')
    assert.equal((await raw().activate({ type: ship })).jobs.length, 0)

    await refused(
      create({ bpmnProcessId: id, startInstructions: [{ elementId: 'nobody' }] }),
      'INVALID_ARGUMENT', "start instructions but no element found with id 'nobody'.")
    await refused(
      create({ bpmnProcessId: id, startInstructions: [{ elementId: 'start' }] }),
      'INVALID_ARGUMENT', "targets unsupported element type 'START_EVENT'")
    await refused(
      create({ bpmnProcessId: id, runtimeInstructions: [{ terminate: { afterElementId: 'nobody' } }] }),
      'INVALID_ARGUMENT', `no element found with id 'nobody' in process definition '${id}'.`)
    await refused(create({ bpmnProcessId: id, runtimeInstructions: [{}] }), 'INVALID_ARGUMENT', 'one of them is empty')
  })

  check('[12] [13] what is not there is NOT_FOUND by its name', async () => {
    const { id } = await oneTaskProcess()
    const prefix = "Command 'CREATE' rejected with code 'NOT_FOUND': Expected to find process definition with "
    await refused(create({ bpmnProcessId: 'nobody' }), 'NOT_FOUND', `${prefix}process ID 'nobody', but none found`)
    await refused(
      create({ bpmnProcessId: id, version: 99 }),
      'NOT_FOUND',
      `${prefix}process ID '${id}' and version '99', but none found`,
    )
    await refused(create({ bpmnProcessId: id, version: 0 }), 'NOT_FOUND', "and version '0', but none found")
    await refused(
      create({ processDefinitionKey: UNKNOWN_KEY }),
      'NOT_FOUND',
      `${prefix}key '${UNKNOWN_KEY}', but none found`,
    )
    await refused(
      create({ processDefinitionKey: -1 }),
      'INVALID_ARGUMENT',
      'Expected at least a bpmnProcessId or a key greater than -1, but none given',
    )
  })

  check('[15] variables must be an object', async () => {
    const { id } = await oneTaskProcess()
    const text = (type) =>
      `Property 'variables' is invalid: Expected document to be a root level object, but was '${type}'`
    for (const [variables, type] of [['[]', 'ARRAY'], ['"a"', 'STRING'], ['1', 'INTEGER'], ['1.5', 'FLOAT'], ['true', 'BOOLEAN']]) {
      await refused(create({ bpmnProcessId: id, variables }), 'INVALID_ARGUMENT', text(type))
    }
    for (const variables of ['{bad', '{"a":NaN}', '{"a":', 'nonsense']) {
      await refused(create({ bpmnProcessId: id, variables }), 'INVALID_ARGUMENT', 'Invalid JSON value')
    }
    for (const variables of ['', '  ', 'null', '{}']) await create({ bpmnProcessId: id, variables })
  })

  check('[16] integers are exact up to 2^64-1, and no further', async () => {
    const { id, type } = await oneTaskProcess()
    const exact = '{"n":18446744073709551615,"m":-9223372036854775808}'
    await create({ bpmnProcessId: id, variables: exact })
    const job = await onlyJob(type)
    assert.match(job.variables, /"n":18446744073709551615[,}]/)
    assert.match(job.variables, /"m":-9223372036854775808[,}]/)
    await refused(
      create({ bpmnProcessId: id, variables: '{"n":123456789012345678901234567890}' }),
      'INVALID_ARGUMENT',
      'MessagePack cannot serialize BigInteger larger than 2^64-1',
    )
  })

  check('[17] null, nesting, unicode and 1.0 come back unchanged', async () => {
    const { id, type } = await oneTaskProcess()
    const variables = { nothing: null, deep: [[1, [2, { a: [] }]], {}], text: 'żółw 🐢 "quoted" \\ \u0001', empty: '' }
    await create({ bpmnProcessId: id, variables: `${JSON.stringify(variables).slice(0, -1)},"one":1.0}` })
    const job = await onlyJob(type)
    assert.match(job.variables, /"one":1\.0[,}]/)
    assert.deepEqual(JSON.parse(job.variables), { ...variables, one: 1 })
  })

  check('a name given twice: the last one wins', async () => {
    const { id, type } = await oneTaskProcess()
    await create({ bpmnProcessId: id, variables: '{"a":1,"a":2}' })
    assert.deepEqual(JSON.parse((await onlyJob(type)).variables), { a: 2 })
  })

  check('[19] tags are on the answer and on the job; too many or malformed ones are refused', async () => {
    const { id, type } = await oneTaskProcess()
    const created = await create({ bpmnProcessId: id, tags: ['red', 'k:v'] })
    assert.deepEqual(created.tags.sort(), ['k:v', 'red'])
    assert.deepEqual((await onlyJob(type)).tags.sort(), ['k:v', 'red'])
    await refused(
      create({ bpmnProcessId: id, tags: Array.from({ length: 11 }, (_, i) => `t${i}`) }),
      'INVALID_ARGUMENT',
      'the number of tags exceeds the limit of 10',
    )
    await refused(create({ bpmnProcessId: id, tags: ['1x'] }), 'INVALID_ARGUMENT', "the tags '1x' are invalid")
  })

  check('[20] with result: the root variables of a process that runs straight through', async () => {
    const id = unique('straight')
    await deploy(process(id, [start(), manual('m'), undefinedTask('u'), end()]))
    const all = await withResult({ bpmnProcessId: id, variables: '{"a":1,"b":{"c":[true]}}' })
    assert.deepEqual(JSON.parse(all.variables), { a: 1, b: { c: [true] } })
    assert.equal(all.bpmnProcessId, id)
    const some = await withResult({ bpmnProcessId: id, variables: '{"a":1,"b":2}' }, { fetchVariables: ['a', 'none'] })
    assert.deepEqual(JSON.parse(some.variables), { a: 1 })
    const none = await withResult({ bpmnProcessId: id })
    assert.equal(none.variables, '{}')
  })

  check('[21] with result, too late: DEADLINE_EXCEEDED and the instance lives', async () => {
    const { id, type } = await oneTaskProcess()
    const started = Date.now()
    await refused(
      withResult({ bpmnProcessId: id }, { requestTimeout: 500 }),
      'DEADLINE_EXCEEDED',
      'Time out between gateway and broker: Request timed out after PT0.5S',
    )
    const millis = Date.now() - started
    assert.ok(millis >= 480 && millis < 15_000, `${millis} ms`)
    const job = await onlyJob(type)
    await raw().call('CompleteJob', { jobKey: job.key })
  })

  check('[22] with result answers when a worker has completed the job', async () => {
    const { id, type } = await oneTaskProcess()
    const answer = withResult({ bpmnProcessId: id, variables: '{"a":1}' })
    const job = await onlyJob(type)
    await raw().call('CompleteJob', { jobKey: job.key, variables: '{"b":2}' })
    assert.deepEqual(JSON.parse((await answer).variables), { a: 1, b: 2 })
  })

  check('with result refuses at once what cannot be created', async () => {
    await refused(
      withResult({ bpmnProcessId: 'nobody' }),
      'NOT_FOUND',
      "Command 'CREATE_WITH_AWAITING_RESULT' rejected with code 'NOT_FOUND'",
    )
  })

  check('[23] cancel: the job is gone, a second cancel is NOT_FOUND', async () => {
    const { id, type } = await oneTaskProcess()
    const { processInstanceKey } = await create({ bpmnProcessId: id })
    const job = await onlyJob(type)
    await raw().call('CancelProcessInstance', { processInstanceKey })
    await refused(
      raw().call('CompleteJob', { jobKey: job.key }),
      'NOT_FOUND',
      `Command 'COMPLETE' rejected with code 'NOT_FOUND': Expected to complete job with key '${job.key}', but no such job was found`,
    )
    await refused(
      raw().call('CancelProcessInstance', { processInstanceKey }),
      'NOT_FOUND',
      `Command 'CANCEL' rejected with code 'NOT_FOUND': Expected to cancel a process instance with key '${processInstanceKey}', but no such process was found`,
    )
    await refused(raw().call('CancelProcessInstance', { processInstanceKey: job.elementInstanceKey }), 'NOT_FOUND')
  })

  check('[14] a process without a none start event', async () => {
    const starts = {
      message: '<bpmn:messageEventDefinition id="d" messageRef="m"/>',
      timer: '<bpmn:timerEventDefinition id="d"><bpmn:timeDuration>PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>',
    }
    for (const [kind, definition] of Object.entries(starts)) {
      const id = unique(kind)
      await deploy(
        definitions(
          `<bpmn:message id="m" name="${id}"/><bpmn:process id="${id}" isExecutable="true">` +
            `<bpmn:startEvent id="s">${definition}</bpmn:startEvent></bpmn:process>`,
        ),
      )
      await refused(
        create({ bpmnProcessId: id }),
        'FAILED_PRECONDITION',
        'Expected to create instance of process with none start event, but there is no such event',
      )
    }
  })

  check('[55] set variables: local, propagated, and where there is no such scope', async () => {
    const { id, type } = await oneTaskProcess({ inputs: [['=a', 'inner']] })
    const { processInstanceKey } = await create({ bpmnProcessId: id, variables: '{"a":1}' })
    const job = await onlyJob(type, { timeout: 1 })
    const set = (elementInstanceKey, variables, local) =>
      raw().call('SetVariables', { elementInstanceKey, variables: JSON.stringify(variables), local })
    const answer = await set(processInstanceKey, { a: 2, top: true }, false)
    assert.ok(BigInt(answer.key) > 0n)
    await set(job.elementInstanceKey, { own: 1 }, true)
    await set(job.elementInstanceKey, { inner: 5, fresh: 'root' }, false)
    // The activation lapses and the job is offered again, with the variables that are visible then.
    const again = await onlyJob(type)
    assert.deepEqual(JSON.parse(again.variables), { a: 2, top: true, own: 1, inner: 5, fresh: 'root' })
    const text = (key) =>
      `Command 'UPDATE' rejected with code 'NOT_FOUND': Expected to update variables for element with key '${key}', but no such element was found`
    await refused(set(UNKNOWN_KEY, {}, false), 'NOT_FOUND', text(UNKNOWN_KEY))
    await refused(set(0, {}, false), 'NOT_FOUND', text(0))
    await assert.rejects(node().setVariables({ elementInstanceKey: '0', variables: {}, local: false }), /NOT_FOUND/)
    await raw().call('CompleteJob', { jobKey: again.key })
    await refused(set(processInstanceKey, { a: 3 }, false), 'NOT_FOUND')
  })

  check('mappings: inputs are local, outputs leave, everything else stays inside', async () => {
    const { id, type } = await oneTaskProcess({
      inputs: [['=a + 1', 'b'], ['=order.id', 'ref.id']],
      outputs: [['=result * 2', 'doubled']],
    })
    const answer = withResult({ bpmnProcessId: id, variables: '{"a":1,"order":{"id":"o-1"}}' })
    const job = await onlyJob(type)
    assert.deepEqual(JSON.parse(job.variables), { a: 1, order: { id: 'o-1' }, b: 2, ref: { id: 'o-1' } })
    await raw().call('CompleteJob', { jobKey: job.key, variables: '{"result":21,"noise":1}' })
    assert.deepEqual(JSON.parse((await answer).variables), { a: 1, order: { id: 'o-1' }, doubled: 42 })
  })

  check('exclusive gateway: the first true condition, else the default', async () => {
    const id = unique('xor')
    const types = { small: unique('small'), large: unique('large'), rest: unique('rest') }
    await deploy(
      process(
        id,
        [start(), exclusive('choose', 'choose_to_rest'), ...Object.keys(types).map((name) => service(name, { type: types[name] })), end()],
        [
          ['start', 'choose'],
          ['choose', 'small', { condition: '=amount < 10' }],
          ['choose', 'large', { condition: '=amount > 100' }],
          ['choose', 'rest'],
          ...Object.keys(types).map((name) => [name, 'end']),
        ],
      ),
    )
    for (const [amount, name] of [[5, 'small'], [500, 'large'], [50, 'rest']]) {
      await create({ bpmnProcessId: id, variables: JSON.stringify({ amount }) })
      const job = await onlyJob(types[name])
      assert.equal(job.elementId, name)
      await raw().call('CompleteJob', { jobKey: job.key })
    }
  })

  check('parallel gateways and an embedded subprocess: it ends when all branches have', async () => {
    const id = unique('par')
    const [left, right] = [unique('left'), unique('right')]
    await deploy(
      process(
        id,
        [
          start(),
          parallel('fork'),
          service('left', { type: left }),
          subprocess('sub', [start('inner_start'), service('right', { type: right }), end('inner_end')]),
          parallel('join'),
          end(),
        ],
        [['start', 'fork'], ['fork', 'left'], ['fork', 'sub'], ['left', 'join'], ['sub', 'join'], ['join', 'end']],
      ),
    )
    let done = false
    const answer = withResult({ bpmnProcessId: id }).then((result) => {
      done = true
      return result
    })
    const a = await onlyJob(left)
    const b = await onlyJob(right)
    await raw().call('CompleteJob', { jobKey: a.key, variables: '{"a":1}' })
    assert.equal(done, false)
    await raw().call('CompleteJob', { jobKey: b.key, variables: '{"b":2}' })
    assert.deepEqual(JSON.parse((await answer).variables), { a: 1, b: 2 })
  })

  check('a loop over a service task comes round as often as its condition says', async () => {
    const id = unique('loop')
    const type = unique('loop')
    await deploy(
      process(
        id,
        [start(), exclusive('merge'), service('step', { type }), exclusive('again', 'again_to_end'), end()],
        [['start', 'merge'], ['merge', 'step'], ['step', 'again'], ['again', 'merge', { condition: '=n < 3' }], ['again', 'end']],
      ),
    )
    const answer = withResult({ bpmnProcessId: id, variables: '{"n":0}' })
    for (let n = 1; n <= 3; n++) {
      const job = await onlyJob(type)
      await raw().call('CompleteJob', { jobKey: job.key, variables: JSON.stringify({ n }) })
    }
    assert.deepEqual(JSON.parse((await answer).variables), { n: 3 })
  })

  check('[72] the operation reference is on the records of a create', async () => {
    const { id } = await oneTaskProcess()
    const { processInstanceKey } = await create({ bpmnProcessId: id, operationReference: 4711 })
    const record = await server().record(
      'the creation is exported',
      (r) => r.valueType === 'PROCESS_INSTANCE_CREATION' && r.intent === 'CREATED' && String(r.value.processInstanceKey) === processInstanceKey,
    )
    assert.equal(String(record.operationReference), '4711')
  })

  check('[60] other tenants are refused by name', async () => {
    const { id } = await oneTaskProcess()
    await create({ bpmnProcessId: id, tenantId: '<default>' })
    await refused(
      create({ bpmnProcessId: id, tenantId: 'foo' }),
      'INVALID_ARGUMENT',
      /CreateProcessInstance with tenant identifier 'foo', but multi-tenancy is disabled/,
    )
    await refused(
      raw().activate({ type: 'x', tenantIds: ['foo'] }),
      'INVALID_ARGUMENT',
      /ActivateJobs with tenant identifier.* but multi-tenancy is disabled/,
    )
  })

  check('zeebe-node: create, create with result, cancel', async () => {
    const client = node()
    const id = unique('node')
    await deploy(process(id, [start(), end()]))
    const result = await client.createProcessInstanceWithResult({ bpmnProcessId: id, variables: { a: [1] }, requestTimeout: 30_000 })
    assert.deepEqual(result.variables, { a: [1] })
    const waiting = await oneTaskProcess()
    const instance = await client.createProcessInstance({ bpmnProcessId: waiting.id, variables: {} })
    await client.cancelProcessInstance(instance.processInstanceKey)
    await assert.rejects(client.cancelProcessInstance(instance.processInstanceKey), /NOT_FOUND/)
  })

  check('the SDK: create, create with result, cancel', async () => {
    const client = sdk()
    const id = unique('sdk')
    await deploy(process(id, [start(), end()]))
    const result = await client.createProcessInstanceWithResult({ bpmnProcessId: id, variables: { a: [1] }, requestTimeout: 30_000 })
    assert.deepEqual({ ...result.variables }, { a: [1] })
    const waiting = await oneTaskProcess()
    const instance = await client.createProcessInstance({ bpmnProcessId: waiting.id, variables: {} })
    await client.cancelProcessInstance(instance.processInstanceKey)
    await assert.rejects(client.cancelProcessInstance(instance.processInstanceKey), /NOT_FOUND/)
  })

  check('a finished instance leaves nothing behind that could be acted on', async () => {
    const { id, type } = await oneTaskProcess()
    const { processInstanceKey } = await create({ bpmnProcessId: id })
    const job = await onlyJob(type)
    await raw().call('CompleteJob', { jobKey: job.key })
    await refused(raw().call('CancelProcessInstance', { processInstanceKey }), 'NOT_FOUND')
    await until('its completion is exported', () =>
      server().records().some((r) => r.intent === 'ELEMENT_COMPLETED' && String(r.key) === processInstanceKey),
    )
  })
})
