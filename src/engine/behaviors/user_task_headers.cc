#include "engine/behaviors/user_task_headers.h"

#include <fmt/format.h>

#include "bpmn/text.h"
#include "engine/behaviors/expressions.h"
#include "record/json.h"

namespace beeline::engine {
namespace {

bpmn::Header header(std::string_view name, std::string value) {
  return {.key = fmt::format("io.camunda.zeebe:{}", name), .value = std::move(value)};
}

// Converts "a, b" to the list ["a","b"]. The parser has checked that no item is empty.
std::string list_of(std::string_view commas) {
  std::string json = "[";
  while (true) {
    const std::size_t comma = commas.find(',');
    record::append_json_string(bpmn::trim(commas.substr(0, comma)), json);
    if (comma == std::string_view::npos) return json + ']';
    json += ',';
    commas.remove_prefix(comma + 1);
  }
}

Result<std::string, Failure> candidates(const Step& step, const bpmn::Expression& expression,
                                        Key scope) {
  if (expression.is_static) return list_of(expression.text);
  return evaluate_string_list(step, expression, scope);
}

}  // namespace

Result<std::vector<bpmn::Header>, Failure> evaluate_user_task(const Step& step,
                                                              const bpmn::UserTask& task,
                                                              Key scope) {
  std::vector<bpmn::Header> headers;
  if (task.assignee) {
    BEELINE_TRY(auto assignee, evaluate_optional_string(step, *task.assignee, scope));
    if (assignee) headers.push_back(header("assignee", *std::move(assignee)));
  }
  if (task.candidate_groups) {
    BEELINE_TRY(std::string groups, candidates(step, *task.candidate_groups, scope));
    headers.push_back(header("candidateGroups", std::move(groups)));
  }
  if (task.candidate_users) {
    BEELINE_TRY(std::string users, candidates(step, *task.candidate_users, scope));
    headers.push_back(header("candidateUsers", std::move(users)));
  }
  if (task.due_date) {
    BEELINE_TRY(auto date, evaluate_date_time(step, *task.due_date, scope));
    if (date) headers.push_back(header("dueDate", *std::move(date)));
  }
  if (task.follow_up_date) {
    BEELINE_TRY(auto date, evaluate_date_time(step, *task.follow_up_date, scope));
    if (date) headers.push_back(header("followUpDate", *std::move(date)));
  }
  if (task.form && task.form->form_key) headers.push_back(header("formKey", *task.form->form_key));
  return headers;
}

}  // namespace beeline::engine
