class $CLASS:
    """Many worlds that are stepped at once. Arrays have the shape `[num_envs, numbers]` and single precision.

    A world whose episode ends begins the next one in the same step. The state may be read and changed between steps.
    """

$CONSTANTS

    def __init__(self, num_envs=1, parameters=None, fused=True, first=0):
        """`parameters` changes some of `PARAMETERS`. `fused` is the class of bits, `first` the index of the first world."""
        unknown = set(parameters or {}) - set(self.PARAMETERS)
        if unknown:
            raise ValueError(f"there is no parameter {', '.join(sorted(unknown))}")
        values = {name: usual for name, (usual, _, _) in self.PARAMETERS.items()} | (parameters or {})
        self.parameters = [f32(values[name]) for name in self.PARAMETERS]
        self.num_envs, self.arithmetic = num_envs, Arithmetic(fused)
        self.worlds = np.uint64(first) + np.arange(num_envs, dtype=np.uint64)
        self.reset()

    def reset(self, seed=0, state=None, stream=1):
        """Begins the first episode of every world, or one in the given states. Returns the observations."""
        count = self.num_envs
        self.key = seed, stream
        self.episodes, self.steps = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.state = np.zeros((count, len(self.STATE)), f32)
        self.observation = np.zeros((count, len(self.OBSERVATIONS)), f32)
        self.broken = np.zeros(count, bool)
        if state is None:
            self._begin_episodes(np.ones(count, bool))
        else:
            self.state[:] = state
            self.observation[:], failed, succeeded, fault = self.look(self.state)
            if (failed | succeeded | fault).any():
                raise ValueError("no episode can be in one of these states")
        return self.observation.copy()

    def step(self, actions):
        """Steps every world. Returns observations, rewards, terminated, truncated and what else there is to know.

        After a fault (a division by zero, a number out of range) the world stays as it was, and the episode has failed.
        """
        actions = np.asarray(actions, f32).reshape(self.num_envs, len(self.ACTIONS))
        actions = [smaller(high, larger(low, actions[:, i])) for i, (low, high) in enumerate(self.BOUNDS)]
        self.steps += 1
        state, reward, failed, succeeded, observation, fault = self._step(self.state, actions, self._draws())
        # An episode that began with a fault fails in its first step.
        fault |= self.broken | ~self._is_in_range(state, reward[:, None], observation)
        kept = fault[:, None]
        self.state, self.observation = np.where(kept, self.state, state), np.where(kept, self.observation, observation)
        reward, failed = choose(fault, 0.0, reward), failed | fault
        succeeded = succeeded & ~failed
        terminated = failed | succeeded
        truncated = ~terminated & (self.LIMIT is not None and self.steps >= self.LIMIT)
        info = {
            "failed": failed,
            "succeeded": succeeded,
            "fault": fault,
            "final_state": self.state.copy(),
            "final_observation": self.observation.copy(),
        }
        self._begin_episodes(terminated | truncated, is_next=True)
        return self.observation.copy(), reward, terminated, truncated, info

    def _begin_episodes(self, chosen, is_next=False):
        """Begins episodes of the chosen worlds."""
        if not chosen.any():
            return
        self.episodes[chosen] += is_next
        self.steps[chosen] = 0
        state, observation, fault = self._begin(self._draws())
        fault |= ~self._is_in_range(state, observation)
        state[fault], observation[fault] = 0, 0
        self.state[chosen], self.observation[chosen], self.broken[chosen] = (
            state[chosen],
            observation[chosen],
            fault[chosen],
        )

    def _draws(self):
        return Draws(*self.key, self.worlds, self.episodes, self.steps)

    def _is_in_range(self, *columns):
        return np.all([(np.abs(numbers) <= f32(self.LARGEST)).all(axis=1) for numbers in columns], axis=0)

    def _columns(self, values, count):
        """Numbers, of which some are the same in all worlds, as columns."""
        columns = np.empty((count, len(values)), f32)
        for i, value in enumerate(values):
            columns[:, i] = value
        return columns

    def _truths(self, value, count):
        return np.broadcast_to(np.asarray(value, bool), count).copy()

    @np.errstate(all="ignore")
    def _begin(self, draws):
        """The beginning of an episode of every world: state, observation, fault."""
        m, p, count = self.arithmetic, self.parameters, self.num_envs
        a = [f32(0.0)] * len(self.ACTIONS)$BEGIN_STATEMENTS
        state = self._columns($BEGIN_STATE, count)
        observation = self._columns($BEGIN_OBSERVATION, count)
        return state, observation, self._truths($BEGIN_FAULT, count)

    @np.errstate(all="ignore")
    def _step(self, state, a, draws):
        """The rules: next state, reward, failed, succeeded, observation, fault."""
        m, p, s, count = self.arithmetic, self.parameters, state.T, self.num_envs$STEP_STATEMENTS
        state = self._columns($STEP_STATE, count)
        reward = self._columns([$STEP_REWARD], count)[:, 0]
        failed, succeeded = (self._truths(truth, count) for truth in ($STEP_ENDS))
        observation = self._columns($STEP_OBSERVATION, count)
        return state, reward, failed, succeeded, observation, self._truths($STEP_FAULT, count)

    @np.errstate(all="ignore")
    def look(self, state):
        """What there is to see of states: observation, failed, succeeded, fault."""
        m, p, s, count = self.arithmetic, self.parameters, np.asarray(state, f32).T, len(state)$LOOK_STATEMENTS
        observation = self._columns($LOOK_OBSERVATION, count)
        failed, succeeded = (self._truths(truth, count) for truth in ($LOOK_ENDS))
        fault = self._truths($LOOK_FAULT, count) | ~self._is_in_range(np.asarray(state, f32), observation)
        return observation, failed, succeeded, fault
