package dev.equipoise.app;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/**
 * Starts the service on a free port with a database of its own and without schedules, so that only
 * requests of the test change the database.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "equipoise.account.administrator-token-file=target/administrator-token-of-quiet",
            "equipoise.checkpoint.folder=target/checkpoints-of-quiet",
            "equipoise.checkpoint.largest=1MB",
            "equipoise.rate.user.burst=1000000",
            "equipoise.rate.agent.burst=1000000",
            "equipoise.rate.sign-in.attempts=1000000",
            "equipoise.rate.sign-in-name.attempts=1000000",
            "equipoise.webhook.allowed-networks=127.0.0.1",
            "spring.datasource.hikari.connection-init-sql=set synchronous_commit to off",
            "logging.level.org.testcontainers=off"
        })
@AutoConfigureRestTestClient
@Import({TestDatabase.class, TestingLab.Configuration.class, WithoutSchedule.class})
public @interface QuietService {}
