// A function without free names: what a page with the simulators' public names says of itself.
function () {
  const labos = window.labos;
  if (!labos || typeof labos.getState !== 'function') return null;
  const state = labos.getState();
  return {
    virtual_ms: typeof state.virtualMs === 'number' ? state.virtualMs : null,
    state: state,
    judge: typeof labos.judge === 'function' ? labos.judge() : null,
  };
}
