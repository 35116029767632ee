package dev.equipoise.app;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/**
 * Starts the whole service on a free port. All tests with this annotation share its configuration,
 * so that it starts once.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "equipoise.account.administrator-token-file=target/administrator-token",
            "spring.datasource.hikari.connection-init-sql=set synchronous_commit to off",
            "logging.level.org.testcontainers=off",
            "equipoise.schedule.period=50ms",
            "equipoise.telemetry.period=100ms",
            "equipoise.checkpoint.folder=target/checkpoints",
            "equipoise.checkpoint.largest=1MB",
            "equipoise.worker.silence=10s",
            "equipoise.rate.user.burst=1000000",
            "equipoise.rate.agent.burst=1000000",
            "equipoise.rate.sign-in.attempts=1000000",
            "equipoise.rate.sign-in-name.attempts=1000000",
            "equipoise.streams.heartbeat=400ms",
            "equipoise.streams.per-caller=12"
        })
@AutoConfigureRestTestClient
@Import({TestDatabase.class, TestingLab.Configuration.class})
public @interface RunningService {}
