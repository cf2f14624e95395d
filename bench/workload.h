#pragma once

#include <string>

#include "engine/engine.h"
#include "record/document.h"

// The one canonical workload: a process with one service task, with a small payload or with fifteen
// variables of half a kilobyte.
namespace beeline::bench {

[[nodiscard]] std::string one_task_xml();
[[nodiscard]] record::Document payload(const std::string& name);  // "small", "large" or "three"

// The engine alone: commands in, frames out, nothing written anywhere.
class CoreDriver {
 public:
  CoreDriver();
  void deploy();
  void create(const record::Document& variables);
  // Activates up to `max` jobs and completes them.
  void work_off(int max);

  engine::Engine& engine() { return engine_; }
  [[nodiscard]] const std::string& last_frame() const { return output_.frame; }
  // Keeps every frame from now on, for replay.
  void keep_frames(std::vector<std::string>* frames) { frames_ = frames; }

 private:
  template <typename T>
  void submit(typename T::Intent intent, Key key, const T& value);

  engine::Engine engine_;
  engine::BatchOutput output_;
  std::string bytes_;
  std::vector<std::string>* frames_ = nullptr;
};

}  // namespace beeline::bench
