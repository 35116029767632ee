package dev.equipoise.app.idempotency;

import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Repository;

/** The answers of the last day; its clock is the database's. Within the caller's transaction. */
@Repository
class KeptAnswers {

    private static final Duration KEPT = Duration.ofDays(1);

    private final JdbcClient database;

    KeptAnswers(JdbcClient database) {
        this.database = database;
    }

    /** What is known of a key. */
    sealed interface Known {

        /** Nobody had it, and it is the caller's until the transaction ends. */
        record Claimed() implements Known {}

        record Answered(KeptAnswer answer) implements Known {}

        /** It was had with another request. */
        record Other() implements Known {}
    }

    /** Who has the same key at the same time waits here until the other has its answer. */
    Known claim(Seal seal, String key, byte[] fingerprint) {
        int claimed =
                database.sql(
                                """
                                insert into kept_answer (owner, idempotency_key, fingerprint, made_at)
                                values (:owner, :key, :fingerprint, now())
                                on conflict do nothing
                                """)
                        .param("owner", seal.owner())
                        .param("key", key)
                        .param("fingerprint", fingerprint)
                        .update();
        return claimed == 1
                ? new Known.Claimed()
                : database.sql(
                                """
                                select * from kept_answer where owner = :owner and idempotency_key = :key
                                """)
                        .param("owner", seal.owner())
                        .param("key", key)
                        .query((row, _) -> known(row, seal, key, fingerprint))
                        .single();
    }

    private static Known known(ResultSet row, Seal seal, String key, byte[] fingerprint)
            throws SQLException {
        return MessageDigest.isEqual(row.getBytes("fingerprint"), fingerprint)
                ? new Known.Answered(
                        new KeptAnswer(
                                row.getInt("status"),
                                row.getString("content_type"),
                                row.getString("location"),
                                new KeptAnswer.Body(seal.open(key, row.getBytes("body")))))
                : new Known.Other();
    }

    /** Keeps the answer to a request whose key was claimed. */
    void keep(Seal seal, String key, KeptAnswer answer) {
        database.sql(
                        """
                        update kept_answer
                        set status = :status, content_type = :type, location = :location, body = :body
                        where owner = :owner and idempotency_key = :key
                        """)
                .param("status", answer.status())
                .param("type", answer.contentType())
                .param("location", answer.location())
                .param("body", seal.close(key, answer.body().bytes()))
                .param("owner", seal.owner())
                .param("key", key)
                .update();
    }

    /** Keys are free again after a day. */
    @Scheduled(fixedDelayString = "PT10M")
    void forget() {
        database.sql("delete from kept_answer where made_at < now() - make_interval(secs => :kept)")
                .param("kept", KEPT.toSeconds())
                .update();
    }

    static Optional<String> rule(String key) {
        return key.matches("[\\x21-\\x7e]{1,255}")
                ? Optional.empty()
                : Optional.of("Idempotency-Key must be 1 to 255 printable characters of ASCII");
    }
}
