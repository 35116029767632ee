package dev.equipoise.launcher;

import java.time.Duration;

/** A fault that strikes during a run and is repaired after an outage. */
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
            "an agent sends nothing for 30 s",
            30,
            (lab, victim) -> lab.networkOf(victim).mute(),
            (lab, victim) -> lab.networkOf(victim).heal()),
    AGENT_CUT_OFF(
            "an agent is disconnected for 30 s",
            30,
            (lab, victim) -> lab.networkOf(victim).cut(),
            (lab, victim) -> lab.networkOf(victim).heal()),
    DISK_FULL(
            "no disk space for checkpoints for 20 s",
            20,
            (lab, _) -> lab.fillCheckpoints(),
            (lab, _) -> lab.emptyCheckpoints()),
    LINK_NARROW(
            "an agent's link has 20 Mbit/s for 30 s",
            30,
            (lab, victim) -> lab.networkOf(victim).narrow("20mbit"),
            (lab, victim) -> lab.networkOf(victim).heal());

    /** Action on a lab, and on one of its agents if the fault strikes an agent. */
    @FunctionalInterface
    private interface Act {
        void on(ChaosLab lab, int victim) throws Exception;
    }

    private final String description;
    private final Duration outage;

    @SuppressWarnings("ImmutableEnumChecker") // method references and lambdas without state
    private final Act strikeAction;

    @SuppressWarnings("ImmutableEnumChecker") // method references and lambdas without state
    private final Act repairAction;

    Fault(String description, int seconds, Act strikeAction, Act repairAction) {
        this.description = description;
        this.outage = Duration.ofSeconds(seconds);
        this.strikeAction = strikeAction;
        this.repairAction = repairAction;
    }

    /** Strikes, waits for the outage, repairs, and returns. */
    void strike(ChaosLab lab, int victim) throws Exception {
        strikeAction.on(lab, victim);
        Pause.of(outage);
        repairAction.on(lab, victim);
    }

    /** Returns whether the fault removes an agent; each rank has another part in a run. */
    boolean removesAnAgent() {
        return this == AGENT_KILLED || this == AGENT_HUNG;
    }

    /** Returns whether all agents live and reach one another, so that no rank may be lost. */
    boolean sparesAgents() {
        return switch (this) {
            case SERVICE_KILLED, SERVICE_GONE_20, SERVICE_GONE_60, DATABASE_HUNG, DISK_FULL -> true;
            case AGENT_KILLED, AGENT_HUNG, AGENT_MUTE, AGENT_CUT_OFF, LINK_NARROW -> false;
        };
    }

    /** Returns the longest time to resume, in seconds; infinite if there is no promise. */
    double maxSecondsToResume() {
        return switch (this) {
            case AGENT_KILLED -> 5;
            case AGENT_HUNG -> 10;
            case SERVICE_KILLED,
                    SERVICE_GONE_20,
                    SERVICE_GONE_60,
                    DATABASE_HUNG,
                    AGENT_MUTE,
                    AGENT_CUT_OFF,
                    DISK_FULL,
                    LINK_NARROW ->
                    Double.POSITIVE_INFINITY;
        };
    }

    /** Returns whether the fault needs agents with networks and disks of their own. */
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
        return description;
    }
}
