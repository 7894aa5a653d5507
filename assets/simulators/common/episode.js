// The record of a run: one step per gesture, tallies per subtask, and the exported document.
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;

  const RANK = ['miss', 'ignored', 'refused', 'accepted', 'safe', 'fault'];

  function copy(value) {
    return value === undefined ? null : JSON.parse(JSON.stringify(value));
  }

  // ---- structural check of an export ---------------------------------------------------------

  const SHAPE = {
    schema_version: 'string', task_id: 'string', episode_id: 'string', env: 'string',
    instrument: 'string', mode: 'string', target_subtask: 'string?', seed: 'integer',
    success: 'boolean', termination: 'string', timestamps: 'object', summary: 'object',
    grounding_metrics: 'object', run_metrics: 'object', subtasks: 'array', steps: 'array',
    faults: 'array', agent_name: 'string?', goal: 'object', assist: 'boolean', artifacts: 'array',
    quality_metrics: 'object',
  };
  const OPTIONAL = ['agent_name', 'goal', 'assist', 'artifacts', 'quality_metrics'];
  const STEP_KEYS = ['index', 'agent_step', 'timestamp_offset_sec', 'virtual_ms', 'subtask_id',
    'action_type', 'target', 'point', 'value_before', 'value_after', 'outcome', 'message',
    'hit_expected_target', 'relies_on_text', 'chosen_text', 'image_quality', 'state_snapshot',
    'reward', 'agent_comment'];
  const METRICS = ['actual_steps', 'target_subtask_attempts', 'target_subtask_success',
    'widget_grounding_accuracy', 'text_grounding_accuracy', 'state_grounding_accuracy'];

  function typeOf(value) {
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'array';
    return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
  }

  function checkEpisode(episode) {
    const wrong = [];
    Object.keys(SHAPE).forEach(function (key) {
      if (!(key in episode)) {
        if (OPTIONAL.indexOf(key) < 0) wrong.push(key + ' is missing');
        return;
      }
      const want = SHAPE[key].replace('?', '');
      const got = typeOf(episode[key]);
      if (got !== want && !(got === 'null' && /\?$/.test(SHAPE[key]))) {
        wrong.push(key + ' is ' + got + ', not ' + want);
      }
    });
    Object.keys(episode).forEach(function (key) { if (!SHAPE[key]) wrong.push(key + ' is unknown'); });
    episode.steps.forEach(function (step, i) {
      Object.keys(step).forEach(function (key) {
        if (STEP_KEYS.indexOf(key) < 0) wrong.push('steps[' + i + '].' + key + ' is unknown');
      });
      if (RANK.indexOf(step.outcome) < 0) wrong.push('steps[' + i + '].outcome');
    });
    METRICS.forEach(function (key) {
      if (!(key in episode.run_metrics)) wrong.push('run_metrics.' + key + ' is missing');
    });
    if (wrong.length) throw new Error('episode does not match the schema: ' + wrong.join('; '));
  }

  // ---- recorder: the steps of the episode ----------------------------------------------------

  // run: {clock, registry, snapshot(), current(), attempt(controlId), failedAttempt(subtaskId),
  //       controlsOf(id), focusOf(id), stateSensitive(controlId), isGoal(step), wallMs()}
  function createRecorder(run) {
    let steps = [];
    let agent = { index: null, count: 0 };

    function targetOf(control) {
      if (!control) return { control_id: null, kind: 'none' };
      const dom = Boolean(control.el);
      return {
        control_id: control.id,
        kind: dom ? 'dom' : 'canvas',
        dom_selector: dom ? '#' + control.el.id : null,
        bbox: run.registry.boxOf(control),
        text: control.text ? control.text() : control.label,
      };
    }

    function open(type, control, point) {
      const current = run.current();
      const step = {
        type: type, control: control, caption: false, closed: false, attempted: false, chosen: null,
        virtualMs: run.clock.now(), offset: run.wallMs(), agentStep: agent.index,
        current: current, target: targetOf(control), outcome: 'miss', message: null,
        before: control ? control.get() : null, after: control ? control.get() : null,
        point: point ? [round(point.x), round(point.y)] : null,
        snapshot: run.snapshot(),
      };
      steps.push(step);
      return step;
    }

    function round(v) {
      return Math.round(v * 100) / 100;
    }

    // Several commits may belong to one gesture (auto-repeat, a key burst): the weightiest counts.
    function apply(step, after, result) {
      if (RANK.indexOf(result.outcome) >= RANK.indexOf(step.outcome)) {
        step.outcome = result.outcome;
        step.message = result.text || null;
      }
      step.after = after;
      step.snapshot = run.snapshot();
      attempt(step);
    }

    function attempt(step) {
      if (step.attempted || !step.control) return;
      step.attempted = true;
      run.attempt(step.control.id);
    }

    function close(step) {
      if (step.closed) return;
      step.closed = true;
      if (step.caption) attempt(step);
      step.snapshot = run.snapshot();
    }

    function unparsable() {
      const step = open('custom', null, null);
      step.message = 'action could not be parsed';
      step.closed = true;
      if (step.current) run.failedAttempt(step.current);
    }

    function hits(step) {
      const own = step.current ? run.controlsOf(step.current) : [];
      return Boolean(step.control) && !step.caption && own.indexOf(step.control.id) >= 0;
    }

    function relies(step) {
      return step.chosen !== null && step.current !== null
        && run.focusOf(step.current).indexOf('text') >= 0;
    }

    function exported(step, index) {
      const out = {
        index: index,
        agent_step: step.agentStep,
        timestamp_offset_sec: Math.round(step.offset) / 1000,
        virtual_ms: step.virtualMs,
        subtask_id: step.current,
        action_type: step.type,
        target: step.target,
        value_before: copy(step.before),
        value_after: copy(step.after),
        outcome: step.outcome,
        message: step.message,
        hit_expected_target: hits(step),
        relies_on_text: relies(step),
        chosen_text: step.chosen,
        state_snapshot: step.snapshot,
      };
      if (step.point) out.point = step.point;
      return out;
    }

    function share(list, good) {
      return list.length ? list.filter(good).length / list.length : null;
    }

    function grounding() {
      const gestures = steps.filter(function (s) { return s.type !== 'custom' && s.current; });
      const choices = gestures.filter(relies);
      const sensitive = steps.filter(function (s) {
        return s.attempted && !s.caption && run.stateSensitive(s.control.id);
      });
      return {
        widget_grounding_accuracy: share(gestures, hits),
        text_grounding_accuracy: share(choices, function (s) { return run.isGoal(s); }),
        state_grounding_accuracy: share(sensitive, function (s) {
          return s.outcome !== 'refused' && s.outcome !== 'fault';
        }),
      };
    }

    return {
      open: open,
      apply: apply,
      close: close,
      drag: function (step, to) {
        step.type = 'drag';
        step.point = step.point.concat([round(to.x), round(to.y)]);
      },
      reset: function () { steps = []; agent = { index: null, count: 0 }; },
      note: function (entry) {
        agent.index = Number.isInteger(entry.index) ? entry.index : null;
        agent.count += 1;
        if (entry.parse_ok === false) unparsable();
      },
      count: function () {
        return steps.filter(function (s) { return s.type !== 'custom'; }).length;
      },
      last: function () { return steps.length ? steps.length - 1 : null; },
      agentSteps: function () { return agent.count; },
      grounding: grounding,
      exported: function () { return steps.map(exported); },
    };
  }

  // ---- episode: the steps, the tallies and the document -----------------------------------------

  // run: {tasks, params, about: {seed, run, mode, target}, clock, registry, emit, snapshot(),
  //       current(), goal(), latch(id), holds(id), successful(), files(), pictures()}
  function createEpisode(run) {
    const tasks = run.tasks;
    const about = run.about;
    const wall = parts.clock.wall;
    const code = tasks.instrument;
    let attempts = {};
    let refusals = {};
    let faults = [];
    let times = {};
    let termination = null;

    const recorder = createRecorder({
      clock: run.clock,
      registry: run.registry,
      snapshot: run.snapshot,
      current: run.current,
      attempt: attempt,
      failedAttempt: function (id) { attempts[id] += 1; },
      controlsOf: function (id) { return subtask(id).attempts; },
      focusOf: function (id) { return subtask(id).focus; },
      stateSensitive: function (controlId) {
        return listing(controlId).some(function (s) { return s.focus.indexOf('state') >= 0; });
      },
      isGoal: function (step) {
        const control = step.control;
        if (!control.goal) return false;
        return step.chosen === run.registry.optionLabel(control, control.goal(run.goal()));
      },
      wallMs: function () { return wall.ms() - times.startMs; },
    });

    function subtask(id) {
      return tasks.subtasks.filter(function (s) { return s.id === id; })[0];
    }

    // The subtasks that name a control among their attempts.
    function listing(controlId) {
      return tasks.subtasks.filter(function (s) { return s.attempts.indexOf(controlId) >= 0; });
    }

    function attempt(controlId) {
      listing(controlId).forEach(function (s) {
        attempts[s.id] += 1;
        run.emit('attempt', { subtask_id: s.id, control_id: controlId });
      });
    }

    function reset() {
      attempts = {};
      refusals = {};
      tasks.subtasks.forEach(function (s) { attempts[s.id] = refusals[s.id] = 0; });
      faults = [];
      termination = null;
      times = { startIso: wall.iso(), startMs: wall.ms(), endIso: null, endMs: 0 };
      recorder.reset();
    }

    function end(reason) {
      if (termination) return;
      termination = reason;
      times.endIso = wall.iso();
      times.endMs = wall.ms();
      run.emit('episode', { success: run.successful(), termination: reason });
    }

    function taskId() {
      return code + '-' + (about.target || 'full');
    }

    // No wall time in it: the same seed, task and run number are the same episode.
    function episodeId() {
      const key = [code, about.seed, taskId(), about.run].join(':');
      return [
        code.toLowerCase(), 'ep', taskId().toLowerCase().replace(/[^0-9a-z]+/g, '_'),
        's' + about.seed, 'r' + about.run, parts.prng.hash(key).slice(0, 8),
      ].join('_');
    }

    function timestamps() {
      const until = times.endIso ? times.endMs : wall.ms();
      return {
        start_time: times.startIso,
        end_time: times.endIso,
        duration_sec: Math.max(0, Math.round(until - times.startMs)) / 1000,
        virtual_ms: run.clock.now(),
      };
    }

    function summary(success) {
      const optimal = about.target ? subtask(about.target).n_opt : tasks.n_opt;
      const agent = recorder.agentSteps();
      return {
        optimal_steps: optimal,
        actual_steps: recorder.count(),
        agent_steps: agent,
        step_efficiency: success && agent > 0 ? Math.min(1, optimal / agent) : 0,
      };
    }

    function runMetrics(grounding) {
      return Object.assign({
        actual_steps: recorder.count(),
        target_subtask_attempts: about.target ? attempts[about.target] : null,
        target_subtask_success: about.target ? run.latch(about.target).success : null,
      }, grounding);
    }

    function subtaskRecord(s) {
      const latch = run.latch(s.id);
      return {
        subtask_id: s.id, name: s.name, level: s.level, category: s.category,
        success: latch.success, prefilled: latch.prefilled,
        attempts: attempts[s.id], refusals: refusals[s.id],
        first_success_step: latch.step, first_success_virtual_ms: latch.virtualMs,
        still_true_at_end: run.holds(s.id),
        grounding_focus: s.focus, success_criteria: s.done_when,
      };
    }

    function artifacts() {
      const files = run.files();
      if (!run.params.shot) return files;
      return files.concat(run.pictures().map(function (picture) {
        return { kind: 'image/png', name: picture.name, data_url: picture.canvas.toDataURL('image/png') };
      }));
    }

    function document_() {
      const success = run.successful();
      const grounding = recorder.grounding();
      const episode = {
        schema_version: '1.0', task_id: taskId(), episode_id: episodeId(), env: tasks.env,
        instrument: code, agent_name: null, mode: about.mode, target_subtask: about.target,
        seed: about.seed, goal: run.goal(), assist: run.params.assist, success: success,
        termination: termination || 'running',
        timestamps: timestamps(),
        summary: summary(success),
        grounding_metrics: grounding,
        run_metrics: runMetrics(grounding),
        subtasks: tasks.subtasks.map(subtaskRecord),
        steps: recorder.exported(),
        faults: faults,
        artifacts: artifacts(),
      };
      if (run.params.debug) checkEpisode(episode);
      return copy(episode);
    }

    function download() {
      const blob = new Blob([JSON.stringify(document_(), null, 2)], { type: 'application/json' });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = 'episode_' + episodeId() + '.json';
      link.click();
      URL.revokeObjectURL(link.href);
    }

    return {
      recorder: recorder,
      reset: reset,
      end: end,
      export: document_,
      download: download,
      markAttempt: function (id) { attempts[id] += 1; },
      refused: function (controlId) {
        listing(controlId).forEach(function (s) { refusals[s.id] += 1; });
      },
      fault: function (entry) { faults.push(entry); },
    };
  }

  parts.episode = { createEpisode: createEpisode, copy: copy };
})();
