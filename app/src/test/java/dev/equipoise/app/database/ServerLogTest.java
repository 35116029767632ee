package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerLogTest {

    @Test
    void lastReasonOfTheServerIsFound() {
        ServerLog log =
                new ServerLog(
                        List.of(
                                "2026-01-01 00:00:00.000 UTC [7] LOG:  starting PostgreSQL",
                                "2026-01-01 00:00:00.001 UTC [8] FATAL:  the database system is"
                                        + " starting up",
                                "2026-01-01 00:00:00.002 UTC [7] FATAL:  lock file"
                                        + " \"postmaster.pid\" already exists",
                                "2026-01-01 00:00:00.003 UTC [7] HINT:  Is another postmaster"
                                        + " (PID 1) running in data directory \"/data\"?",
                                "2026-01-01 00:00:00.004 UTC [8] FATAL:  the database system is"
                                        + " starting up",
                                "pg_ctl: could not start server"));

        assertThat(log.lastReason()).hasValue("lock file \"postmaster.pid\" already exists");
        assertThat(log.saysThatItEnded()).isTrue();
    }

    @Test
    void reasonOfInitdbIsFound() {
        ServerLog log =
                new ServerLog(
                        List.of(
                                "initdb: error: could not write file \"/data/postgresql.conf\": No"
                                        + " space left on device",
                                "initdb: removing contents of data directory \"/data\""));

        assertThat(log.lastReason())
                .hasValue(
                        "could not write file \"/data/postgresql.conf\": No space left on device");
    }

    @Test
    void logWithoutAReasonHasNone() {
        assertThat(new ServerLog(List.of("server started")).lastReason()).isEmpty();
        assertThat(new ServerLog(List.of("server started")).saysThatItEnded()).isFalse();
    }
}
