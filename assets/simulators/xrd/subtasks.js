// Generated from task_library/labosbench/xrd.json by `python -m workbench.runs.subtasks`.
(function () {
  'use strict';
  const parts = (window.labos = window.labos || { parts: {} }).parts;
  parts.tasks = {
    "instrument": "XRD",
    "env": "XRD_Simulator",
    "init": {
      "specimen": null,
      "loaded": false,
      "doors": "closed",
      "tube": "standby",
      "kV": 15,
      "mA": 5,
      "ready": false,
      "start": 5,
      "end": 80,
      "step": null,
      "rate": null,
      "scan": "idle",
      "scanPoints": 0,
      "outdated": false,
      "shutter": "closed",
      "saved": false
    },
    "hidden_seed0": {
      "zeroOffsetDeg": 0.01
    },
    "goal": {
      "specimen": "silicon",
      "specimen_label": "Silicon powder",
      "start": 20,
      "end": 90,
      "step": 0.01,
      "rate": 0.2
    },
    "workflow_id": "XRD-Scan-And-Save-01",
    "n_opt": 13,
    "subtasks": [
      {
        "id": "S1",
        "name": "SelectSpecimen",
        "paper_name": "Select Specimen",
        "level": "EASY",
        "category": "Preparation & Sample Handling",
        "n_opt": 1,
        "attempts": [
          "xrd.specimen"
        ],
        "focus": [
          "widget",
          "text"
        ],
        "delta": {
          "specimen": "{goal.specimen}"
        },
        "done_when": "S.specimen===G.specimen",
        "say": "In the SPECIMEN list choose \"{goal.specimen_label}\"."
      },
      {
        "id": "S2",
        "name": "Doors",
        "paper_name": "Load Sample",
        "level": "MEDIUM",
        "category": "Preparation & Sample Handling",
        "n_opt": 2,
        "attempts": [
          "xrd.doors"
        ],
        "focus": [
          "widget",
          "state"
        ],
        "delta": {
          "loaded": true
        },
        "done_when": "S.loaded && S.doors==='closed'",
        "say": "Open the chamber with the DOORS button, wait until the specimen sits on the stage, then close the doors again."
      },
      {
        "id": "S3",
        "name": "PowerUp",
        "paper_name": "Power Up",
        "level": "MEDIUM",
        "category": "Activation & Alignment",
        "n_opt": 1,
        "attempts": [
          "xrd.standby"
        ],
        "focus": [
          "widget",
          "state"
        ],
        "delta": {
          "tube": "on",
          "kV": 40,
          "mA": 40,
          "ready": true
        },
        "done_when": "S.ready && S.kV>=39.5 && S.mA>=39.5",
        "say": "Press the round STANDBY switch and wait until the tube has reached full voltage and current and the READY lamp is lit."
      },
      {
        "id": "S4",
        "name": "SetAngles",
        "paper_name": "Set Angles",
        "level": "MEDIUM",
        "category": "Measurement Configuration",
        "n_opt": 5,
        "attempts": [
          "xrd.start.up",
          "xrd.start.down",
          "xrd.end.up",
          "xrd.end.down"
        ],
        "focus": [
          "widget"
        ],
        "delta": {
          "start": "{goal.start}",
          "end": "{goal.end}"
        },
        "done_when": "S.start===G.start && S.end===G.end",
        "say": "Use the angle arrows so that the scan runs from {goal.start} to {goal.end} degrees 2-theta."
      },
      {
        "id": "S5",
        "name": "SetStepSize",
        "paper_name": "Set Step Size",
        "level": "MEDIUM",
        "category": "Measurement Configuration",
        "n_opt": 1,
        "attempts": [
          "xrd.step"
        ],
        "focus": [
          "widget",
          "text"
        ],
        "delta": {
          "step": "{goal.step}"
        },
        "done_when": "S.step===G.step",
        "say": "In the STEP SIZE list choose {goal.step} deg."
      },
      {
        "id": "S6",
        "name": "SetScanRate",
        "paper_name": "Set Scan Rate",
        "level": "MEDIUM",
        "category": "Measurement Configuration",
        "n_opt": 1,
        "attempts": [
          "xrd.rate"
        ],
        "focus": [
          "widget",
          "text"
        ],
        "delta": {
          "rate": "{goal.rate}"
        },
        "done_when": "S.rate===G.rate",
        "say": "In the SCAN RATE list choose {goal.rate} deg/sec."
      },
      {
        "id": "S7",
        "name": "RunScan",
        "paper_name": "Run Scan",
        "level": "EASY",
        "category": "Experimental Execution",
        "n_opt": 1,
        "attempts": [
          "xrd.startScan"
        ],
        "focus": [
          "widget",
          "state"
        ],
        "delta": {
          "scan": "done"
        },
        "done_when": "S.scan==='done' && S.scanPoints===Math.round((S.end-S.start)/S.step)+1 && S.shutter==='closed'",
        "say": "Start the scan and wait until it has finished."
      },
      {
        "id": "S8",
        "name": "SaveResult",
        "paper_name": "Save Result",
        "level": "EASY",
        "category": "Post-processing & Completion",
        "n_opt": 1,
        "attempts": [
          "xrd.save"
        ],
        "focus": [
          "widget",
          "state"
        ],
        "delta": {
          "saved": true
        },
        "done_when": "S.saved===true",
        "say": "Save the finished diffractogram."
      }
    ]
  };
})();
