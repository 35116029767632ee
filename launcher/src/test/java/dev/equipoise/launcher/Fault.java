package dev.equipoise.launcher;

import java.time.Duration;

/** What breaks in the midst of a run, and is mended some time after it. */
enum Fault {
    AGENT_KILLED(
            "kill -9 of an agent, another in its place after 5 s",
            5,
            ChaosLab::killAgent,
            ChaosLab::replaceAgent),
    AGENT_HUNG("SIGSTOP of an agent for 30 s", 30, ChaosLab::hangAgent, ChaosLab::wakeAgent),
    SERVICE_KILLED(
            "kill -9 of the service, started again at once",
            0,
            (lab, _) -> lab.killService(),
            (lab, _) -> lab.restartService()),
    SERVICE_GONE_20(
            "kill -9 of the service, started again after 20 s",
            20,
            (lab, _) -> lab.killService(),
            (lab, _) -> lab.restartService()),
    SERVICE_GONE_60(
            "kill -9 of the service, started again after 60 s",
            60,
            (lab, _) -> lab.killService(),
            (lab, _) -> lab.restartService()),
    DATABASE_HUNG(
            "SIGSTOP of PostgreSQL for 30 s",
            30,
            (lab, _) -> lab.hangDatabase(),
            (lab, _) -> lab.wakeDatabase()),
    AGENT_MUTE(
            "nothing comes from an agent for 30 s",
            30,
            (lab, victim) -> lab.networkOf(victim).mute(),
            (lab, victim) -> lab.networkOf(victim).heal()),
    AGENT_CUT_OFF(
            "an agent's cable is out for 30 s",
            30,
            (lab, victim) -> lab.networkOf(victim).cut(),
            (lab, victim) -> lab.networkOf(victim).heal()),
    DISK_FULL(
            "no room for checkpoints for 20 s",
            20,
            (lab, _) -> lab.fillCheckpoints(),
            (lab, _) -> lab.emptyCheckpoints()),
    LINK_NARROW(
            "an agent's link has 20 Mbit/s for 30 s",
            30,
            (lab, victim) -> lab.networkOf(victim).narrow("20mbit"),
            (lab, victim) -> lab.networkOf(victim).heal());

    /** Done to a lab, and to one of its agents where it is one that is hit. */
    @FunctionalInterface
    private interface Act {
        void on(ChaosLab lab, int victim) throws Exception;
    }

    private final String words;
    private final Duration outage;

    @SuppressWarnings("ImmutableEnumChecker") // methods, and functions of their arguments alone
    private final Act breaks;

    @SuppressWarnings("ImmutableEnumChecker") // the same
    private final Act mends;

    Fault(String words, int seconds, Act breaks, Act mends) {
        this.words = words;
        this.outage = Duration.ofSeconds(seconds);
        this.breaks = breaks;
        this.mends = mends;
    }

    /** Returns when it is mended. */
    void strike(ChaosLab lab, int victim) throws Exception {
        breaks.on(lab, victim);
        Pause.of(outage);
        mends.on(lab, victim);
    }

    /** Whether one agent is gone by it, of which each has a part of its own in a run. */
    boolean losesAnAgent() {
        return this == AGENT_KILLED || this == AGENT_HUNG;
    }

    /** Whether it needs machines of their own, with cables and disks that can be cut off. */
    boolean needsNetworks() {
        return switch (this) {
            case AGENT_MUTE, AGENT_CUT_OFF, DISK_FULL, LINK_NARROW -> true;
            case AGENT_KILLED,
                    AGENT_HUNG,
                    SERVICE_KILLED,
                    SERVICE_GONE_20,
                    SERVICE_GONE_60,
                    DATABASE_HUNG ->
                    false;
        };
    }

    @Override
    public String toString() {
        return words;
    }
}
