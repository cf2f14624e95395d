'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { describe, it } = require('node:test')
const { suite } = require('./lib/suite')
const { UNKNOWN_KEY, refused } = require('./lib/clients')
const { beeline, temporaryDirectory } = require('./lib/server')
const { dmn, end, literal, process, rule, service, start, table } = require('./lib/models')
const { unique, until } = require('./lib/wait')

const resource = (name, xml) => ({ name, content: Buffer.from(xml) })
const sides = [
  ['"light"', '"Obi-Wan"'],
  ['"dark"', '"Vader"'],
]

suite('decisions', {}, ({ check, raw, node, sdk, server }) => {
  const deployAll = (...resources) => raw().call('DeployResource', { resources })
  const evaluate = (request) =>
    raw().call('EvaluateDecision', { ...request, variables: JSON.stringify(request.variables || {}) })

  check('[8] processes, decisions, requirements, in this order, each with its metadata', async () => {
    const [p, drg, a, b] = ['p', 'drg', 'a', 'b'].map(unique)
    const answer = await deployAll(
      resource('rules.dmn', dmn(drg, table(a, 'UNIQUE', 'side', sides), literal(b, '1'))),
      resource('p.bpmn', process(p, [start(), end()])),
    )
    assert.deepEqual(
      answer.deployments.map((entry) => entry.Metadata),
      ['process', 'decision', 'decision', 'decisionRequirements'],
    )
    const [, first, second, { decisionRequirements: file }] = answer.deployments
    assert.equal(file.dmnDecisionRequirementsId, drg)
    assert.equal(file.dmnDecisionRequirementsName, `${drg} name`)
    assert.equal(file.version, 1)
    assert.equal(file.resourceName, 'rules.dmn')
    assert.equal(file.tenantId, '<default>')
    assert.equal(first.decision.dmnDecisionId, a)
    assert.equal(first.decision.dmnDecisionName, `${a} name`)
    assert.equal(first.decision.version, 1)
    assert.equal(first.decision.dmnDecisionRequirementsId, drg)
    assert.equal(first.decision.decisionRequirementsKey, file.decisionRequirementsKey)
    assert.equal(first.decision.tenantId, '<default>')
    assert.notEqual(first.decision.decisionKey, second.decision.decisionKey)
  })

  check('the same file is no new version, a changed one is', async () => {
    const [drg, id] = ['drg', 'd'].map(unique)
    const first = await deployAll(resource('d.dmn', dmn(drg, literal(id, '1'))))
    const again = await deployAll(resource('d.dmn', dmn(drg, literal(id, '1'))))
    assert.deepEqual(again.deployments, first.deployments)
    const changed = await deployAll(resource('d.dmn', dmn(drg, literal(id, '2'))))
    assert.equal(changed.deployments[0].decision.version, 2)
    assert.equal(changed.deployments[1].decisionRequirements.version, 2)
  })

  check('a broken cell refuses the deployment and is named', async () => {
    const id = unique('broken')
    const xml = dmn(unique('drg'), table(id, 'UNIQUE', 'side', [...sides, ['][', '1']]))
    const error = await refused(
      deployAll(resource('good.bpmn', process(unique('p'), [start(), end()])), resource('bad.dmn', xml)),
      'INVALID_ARGUMENT',
      `'bad.dmn': - Element: ${id}\n    - ERROR: Rule 3, input 1: Failed to parse expression '][':`,
    )
    assert.match(error.details, /^Command 'CREATE' rejected with code 'INVALID_ARGUMENT': Expected to deploy new resources/)
  })

  check('[58] evaluation by id and by key tells how the result came about', async () => {
    const [drg, id, base] = ['drg', 'jedi', 'base'].map(unique)
    const { deployments } = await deployAll(
      resource('d.dmn', dmn(drg, literal(id, `${base} + "!"`, [base]), table(base, 'UNIQUE', 'side', sides))),
    )
    const byId = await evaluate({ decisionId: id, variables: { side: 'light' } })
    assert.equal(byId.decisionOutput, '"Obi-Wan!"')
    assert.equal(byId.decisionId, id)
    assert.equal(byId.decisionName, `${id} name`)
    assert.equal(byId.decisionVersion, 1)
    assert.equal(byId.decisionKey, deployments[0].decision.decisionKey)
    assert.equal(byId.decisionRequirementsId, drg)
    assert.equal(byId.decisionRequirementsKey, deployments[2].decisionRequirements.decisionRequirementsKey)
    assert.equal(byId.tenantId, '<default>')
    assert.equal(byId.failedDecisionId, '')
    assert.equal(byId.failureMessage, '')
    assert.ok(BigInt(byId.decisionEvaluationKey) > 0n)
    assert.equal(byId.decisionInstanceKey, byId.decisionEvaluationKey)
    assert.deepEqual(
      byId.evaluatedDecisions.map((each) => [each.decisionId, each.decisionType, each.decisionOutput]),
      [
        [base, 'DECISION_TABLE', '"Obi-Wan"'],
        [id, 'LITERAL_EXPRESSION', '"Obi-Wan!"'],
      ],
    )
    const [tableAudit] = byId.evaluatedDecisions
    assert.equal(tableAudit.decisionEvaluationInstanceKey, `${byId.decisionEvaluationKey}-1`)
    assert.deepEqual(tableAudit.evaluatedInputs, [
      { inputId: `${base}_in`, inputName: 'Input', inputValue: '"light"' },
    ])
    assert.deepEqual(tableAudit.matchedRules, [
      {
        ruleId: `${base}_r1`,
        ruleIndex: 1,
        evaluatedOutputs: [{ outputId: `${base}_out`, outputName: 'Output', outputValue: '"Obi-Wan"' }],
      },
    ])
    const byKey = await evaluate({ decisionKey: byId.decisionKey, variables: { side: 'dark' } })
    assert.equal(byKey.decisionOutput, '"Vader!"')
    assert.notEqual(byKey.decisionEvaluationKey, byId.decisionEvaluationKey)
  })

  check('[58] an unknown decision is NOT_FOUND, none at all INVALID_ARGUMENT', async () => {
    await refused(
      evaluate({ decisionId: 'nobody' }),
      'NOT_FOUND',
      "Expected to evaluate decision 'nobody', but no decision found for id 'nobody'",
    )
    await refused(evaluate({ decisionKey: UNKNOWN_KEY }), 'NOT_FOUND', `but no decision found for key '${UNKNOWN_KEY}'`)
    const none = 'Expected either a decision id or a valid decision key, but none provided'
    await refused(evaluate({}), 'INVALID_ARGUMENT', none)
    await refused(evaluate({ decisionKey: -1 }), 'INVALID_ARGUMENT', none)
    await refused(raw().call('EvaluateDecision', { decisionId: 'd', variables: '[]' }), 'INVALID_ARGUMENT')
    await refused(raw().call('EvaluateDecision', { decisionId: 'd', tenantId: 'other' }), 'INVALID_ARGUMENT', 'EvaluateDecision')
  })

  check('[58] a decision that fails is OK with the reason', async () => {
    const id = unique('fails')
    await deployAll(resource('d.dmn', dmn(unique('drg'), literal(id, 'assert(x, x > 1, "x is small")'))))
    const answer = await evaluate({ decisionId: id, variables: { x: 0 } })
    assert.equal(answer.failedDecisionId, id)
    assert.equal(
      answer.failureMessage,
      `Expected to evaluate decision '${id}', but x is small in 'assert(x, x > 1, "x is small")'`,
    )
    assert.equal(answer.decisionOutput, '')
    assert.equal(answer.evaluatedDecisions.length, 1)
  })

  check('zeebe-node deploys and evaluates', async () => {
    const id = unique('node')
    const client = node()
    const deployed = await client.deployResource({
      name: 'd.dmn',
      decision: Buffer.from(dmn(unique('drg'), table(id, 'UNIQUE', 'side', sides))),
    })
    assert.equal(deployed.deployments[0].decision.dmnDecisionId, id)
    const answer = await client.evaluateDecision({ decisionId: id, variables: { side: 'dark' } })
    assert.equal(answer.decisionOutput, '"Vader"')
  })

  check('@camunda8/sdk deploys a process with its decision and runs it', async () => {
    const [p, id, type] = ['p', 'sdk', 'after'].map(unique)
    const client = sdk()
    await client.deployResources([
      { name: 'd.dmn', decision: Buffer.from(dmn(unique('drg'), table(id, 'UNIQUE', 'side', sides))) },
      { name: 'p.bpmn', process: Buffer.from(process(p, [start(), rule('rule', id, 'who'), service('after', { type }), end()])) },
    ])
    const answer = await client.evaluateDecision({ decisionId: id, variables: { side: 'light' } })
    assert.equal(answer.decisionOutput, '"Obi-Wan"')
    await client.createProcessInstance({ bpmnProcessId: p, variables: { side: 'dark' } })
    const { jobs } = await raw().activate({ type, requestTimeout: 30_000 })
    assert.deepEqual(JSON.parse(jobs[0].variables), { side: 'dark', who: 'Vader' })
  })

  check('a task whose decision is missing goes on when it is deployed and the incident resolved', async () => {
    const [p, id, type] = ['p', 'late', 'after'].map(unique)
    await deployAll(resource('p.bpmn', process(p, [start(), rule('rule', id, 'y'), service('after', { type }), end()])))
    const { processInstanceKey } = await raw().call('CreateProcessInstance', { bpmnProcessId: p, version: -1 })
    const incident = await server().record(
      'the incident is exported',
      (record) =>
        record.valueType === 'INCIDENT' &&
        record.intent === 'CREATED' &&
        String(record.value.processInstanceKey) === processInstanceKey,
    )
    assert.equal(incident.value.errorType, 'CALLED_DECISION_ERROR')
    await deployAll(resource('d.dmn', dmn(unique('drg'), literal(id, '6 * 7'))))
    await raw().call('ResolveIncident', { incidentKey: String(incident.key) })
    const { jobs } = await raw().activate({ type, requestTimeout: 30_000 })
    assert.deepEqual(JSON.parse(jobs[0].variables), { y: 42 })
  })
})

// This suite has a server of its own: a zeebe-node client whose server went away keeps node from
// ending.
suite('decisions and restarts', {}, ({ check, raw, server }) => {
  check('decisions are there after a restart', async () => {
    const id = unique('kept')
    await raw().call('DeployResource', { resources: [resource('d.dmn', dmn(unique('drg'), literal(id, 'x + 1')))] })
    const evaluate = () => raw().call('EvaluateDecision', { decisionId: id, variables: '{"x":1}' })
    const before = await evaluate()
    await server().stop()
    await server().restart()
    const after = await until('the server answers again', () => evaluate())
    assert.equal(after.decisionOutput, '2')
    assert.equal(after.decisionKey, before.decisionKey)
    assert.notEqual(after.decisionEvaluationKey, before.decisionEvaluationKey)
  })
})

describe('expressions and decisions without a server', () => {
  const file = (name, text) => {
    const full = path.join(temporaryDirectory(), name)
    fs.writeFileSync(full, text)
    return full
  }

  it('beeline feel prints the result as JSON', async () => {
    const context = file('context.json', '{"x": 20, "who": {"name": "Ada"}}')
    const sum = await beeline(['feel', 'x + 22', '--context', `@${context}`])
    assert.deepEqual([sum.code, sum.stdout, sum.stderr], [0, '42\n', ''])
    const text = await beeline(['feel', '= "Hello " + who.name', '--context', `@${context}`])
    assert.equal(text.stdout, '"Hello Ada"\n')
    const nothing = await beeline(['feel', 'y + 1'])
    assert.equal(nothing.stdout, 'null\n')
    assert.match(nothing.stderr, /^warning: .*'y'/)
    const wrong = await beeline(['feel', '1 +'])
    assert.equal(wrong.code, 1)
    assert.equal(
      wrong.stderr,
      "beeline: Failed to parse expression '1 +': Expected an expression, but the text ends (line 1, column 4)\n" +
        '  1 +\n     ^\n',
    )
    const failed = await beeline(['feel', 'assert(1, false, "no")'])
    assert.deepEqual([failed.code, failed.stdout, failed.stderr], [1, '', 'beeline: no in \'assert(1, false, "no")\'\n'])
    const bad = await beeline(['feel', '1', '--context', `@${file('bad.json', '[1]')}`])
    assert.equal(bad.code, 1)
    assert.match(bad.stderr, /Failed to read --context .*: expected a JSON object/)
  })

  it('beeline feel --lines answers a line for each request', async () => {
    const requests = [
      { expression: 'a.b * 2', context: { a: { b: 4 } } },
      { expression: '"quoted \\" and ünïcode"' },
      { expression: '1 +' },
      { expression: 'missing' },
      {},
    ]
    const { stdout } = await beeline(['feel', '--lines'], {
      input: requests.map((request) => JSON.stringify(request)).join('\n'),
    })
    const answers = stdout.trim().split('\n').map((line) => JSON.parse(line))
    assert.equal(answers.length, requests.length)
    assert.deepEqual(answers[0], { result: 8, warnings: [] })
    assert.equal(answers[1].result, 'quoted " and ünïcode')
    assert.match(answers[2].error, /Failed to parse/)
    assert.equal(answers[3].warnings.length, 1)
    assert.match(answers[4].error, /expression/)
  })

  it('beeline decide evaluates a decision of a file', async () => {
    const rules = file('force.dmn', dmn('drg', table('jedi', 'UNIQUE', 'side', sides)))
    const context = file('context.json', '{"side": "light"}')
    const answer = await beeline(['decide', rules, '--decision', 'jedi', '--context', `@${context}`])
    assert.deepEqual([answer.code, answer.stdout], [0, '"Obi-Wan"\njedi: rule 1 (jedi_r1)\n'])
    const audit = JSON.parse((await beeline(['decide', rules, '--context', `@${context}`, '--audit'])).stdout)
    assert.equal(audit.decisionOutput, 'Obi-Wan')
    assert.equal(audit.evaluatedDecisions[0].matchedRules[0].ruleId, 'jedi_r1')
    const unknown = await beeline(['decide', rules, '--decision', 'sith'])
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /There is no decision 'sith' in .*; there is 'jedi'/)
    const broken = await beeline(['decide', file('b.dmn', dmn('drg', literal('a', '1 +')))])
    assert.equal(broken.code, 1)
    assert.match(broken.stderr, /a: Failed to parse expression '1 \+'/)
    const two = file('two.dmn', dmn('drg', table('all', 'UNIQUE', 'x', [['> 1', '1'], ['> 2', '2']])))
    const failed = await beeline(['decide', two, '--context', `@${file('x.json', '{"x": 5}')}`])
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /Decision 'all' failed: Hit policy UNIQUE allows one matching rule, but 2 matched/)
  })

  it('beeline decide reads the files that a file imports', async () => {
    const prices = file('prices.dmn', dmn('prices', literal('price', '20')).replace(/ namespace="[^"]*"/, ' namespace="prices"'))
    const total = '<import name="p" namespace="prices" importType="dmn"/><decision id="total" name="total">' +
      '<informationRequirement><requiredDecision href="prices#price"/></informationRequirement>' +
      '<literalExpression><text>p.price * 2</text></literalExpression></decision>'
    const orders = file('orders.dmn', dmn('orders', total))
    const answer = await beeline(['decide', orders, '--import', prices])
    assert.deepEqual([answer.code, answer.stdout], [0, '40\n'])
    const alone = await beeline(['decide', orders])
    assert.equal(alone.code, 1)
    assert.match(alone.stderr, /Import 'p' needs a file with namespace 'prices', but there is none/)
  })
})
