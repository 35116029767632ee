package dev.equipoise.app;

import dev.equipoise.app.computing.AwaitedThreads;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Import;

/**
 * Starts the whole service in the thread of the test, without schedules and threads of its own.
 * Requests pass through all filters of the service in their order, the security filters included.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.MOCK,
        properties = {
            "equipoise.account.administrator-token-file=target/administrator-token-of-simulation",
            "equipoise.checkpoint.folder=target/checkpoints-of-simulation",
            "equipoise.checkpoint.largest=64KB",
            "equipoise.schedule.preempt-after=5s",
            "equipoise.schedule.spare-for=4s",
            "equipoise.worker.credential-life=70s",
            "equipoise.rate.user.burst=1000000",
            "equipoise.rate.agent.burst=1000000",
            "spring.datasource.hikari.connection-init-sql=set synchronous_commit to off",
            "logging.level.org.testcontainers=off",
            "logging.level.dev.equipoise=error"
        })
@AutoConfigureMockMvc
@AutoConfigureRestTestClient
@Import({
    TestDatabase.class,
    TestingLab.Configuration.class,
    WithoutSchedule.class,
    AwaitedThreads.class,
    SimulatedDatabase.class
})
public @interface SimulatedService {}
