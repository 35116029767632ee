package dev.equipoise.launcher;

import java.time.Duration;

/** What breaks in the midst of a run, and is mended some time after it. */
enum Fault {
    AGENT_KILLED("kill -9 of an agent, another in its place 5 s later", Needs.PROCESSES) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.killAgent(victim);
            Pause.of(Duration.ofSeconds(5));
            lab.replaceAgent(victim);
        }
    },
    AGENT_HUNG("SIGSTOP of an agent for 30 s", Needs.PROCESSES) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.hangAgent(victim);
            Pause.of(OUTAGE);
            lab.wakeAgent(victim);
        }
    },
    SERVICE_KILLED("kill -9 of the service, started again at once", Needs.PROCESSES) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.killService();
            lab.restartService();
        }
    },
    SERVICE_GONE_20("kill -9 of the service, started again after 20 s", Needs.PROCESSES) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.killService();
            Pause.of(Duration.ofSeconds(20));
            lab.restartService();
        }
    },
    SERVICE_GONE_60("kill -9 of the service, started again after 60 s", Needs.PROCESSES) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.killService();
            Pause.of(Duration.ofSeconds(60));
            lab.restartService();
        }
    },
    DATABASE_HUNG("SIGSTOP of PostgreSQL for 30 s", Needs.PROCESSES) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.hangDatabase();
            Pause.of(OUTAGE);
            lab.wakeDatabase();
        }
    },
    AGENT_MUTE("nothing comes from an agent for 30 s", Needs.NETWORKS) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.networkOf(victim).mute();
            Pause.of(OUTAGE);
            lab.networkOf(victim).heal();
        }
    },
    AGENT_CUT_OFF("an agent's cable is out for 30 s", Needs.NETWORKS) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.networkOf(victim).cut();
            Pause.of(OUTAGE);
            lab.networkOf(victim).heal();
        }
    },
    DISK_FULL("no room for checkpoints for 20 s", Needs.NETWORKS) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.fillCheckpoints();
            Pause.of(Duration.ofSeconds(20));
            lab.emptyCheckpoints();
        }
    },
    LINK_NARROW("an agent's link has 20 Mbit/s for 30 s", Needs.NETWORKS) {
        @Override
        void strike(ChaosLab lab, int victim) throws Exception {
            lab.networkOf(victim).narrow("20mbit");
            Pause.of(OUTAGE);
            lab.networkOf(victim).heal();
        }
    };

    private static final Duration OUTAGE = Duration.ofSeconds(30);

    /** What a machine must let a test do for it. */
    enum Needs {
        PROCESSES,
        NETWORKS
    }

    private final String words;
    private final Needs needs;

    Fault(String words, Needs needs) {
        this.words = words;
        this.needs = needs;
    }

    /** Returns when it is mended. */
    abstract void strike(ChaosLab lab, int victim) throws Exception;

    Needs needs() {
        return needs;
    }

    @Override
    public String toString() {
        return words;
    }
}
