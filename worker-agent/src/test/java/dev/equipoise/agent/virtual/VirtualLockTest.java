package dev.equipoise.agent.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.agent.order.OrderedLock;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Patience.SECONDS)
class VirtualLockTest {

    private final VirtualCluster cluster = new VirtualCluster(1, LinkModel.uniform(1, 0), 1);
    private final List<String> holders = new ArrayList<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static ChoiceSource always(int choice) {
        return _ -> choice;
    }

    private void acquire(OrderedLock lock, ChoiceSource choices, String who) {
        lock.enter(choices);
        holders.add(who);
        lock.leave();
    }

    private void run(Callable<Boolean> body) {
        cluster.run(List.of(body));
    }

    @Test
    void freeAcquisitionsFollowTheClocks() {
        run(() -> {
            BackgroundThread background = cluster.background(0);
            OrderedLock lock = background.newLock();
            acquire(lock, ChoiceSource.FREE, "body");
            background.start(() -> acquire(lock, ChoiceSource.FREE, "background"));
            background.await();
            acquire(lock, ChoiceSource.FREE, "body again");
            return true;
        });

        assertThat(holders).containsExactly("body", "background", "body again");
    }

    @Test
    void anEarlyActorWaitsForEarlierAcquisitions() {
        run(() -> {
            BackgroundThread background = cluster.background(0);
            OrderedLock lock = background.newLock();
            background.start(() -> {
                cluster.time(0).sleep(1_000);
                acquire(lock, always(0), "background");
                cluster.time(0).sleep(1_000);
                acquire(lock, always(1), "background again");
            });
            acquire(lock, always(2), "body");
            holders.add("at " + cluster.time(0).nanoTime());
            background.await();
            return true;
        });

        assertThat(holders).containsExactly("background", "background again", "body", "at 2000");
    }

    @Test
    void anImpossibleAcquisitionFailsTheRun() {
        assertThatThrownBy(() ->
                        run(() -> {
                            BackgroundThread background = cluster.background(0);
                            acquire(background.newLock(), always(3), "body");
                            return true;
                        }))
                .isInstanceOf(ChannelFailed.class)
                .hasMessageContaining("deadlock")
                .hasMessageContaining("lock acquisition 3");
        assertThat(holders).isEmpty();
    }

    @Test
    void actorsAcquireInTheOrderOfTheirClocks() {
        run(() -> {
            BackgroundThread background = cluster.background(0);
            OrderedLock lock = background.newLock();
            background.start(() -> acquire(lock, ChoiceSource.FREE, "background"));
            cluster.time(0).sleep(1_000);
            acquire(lock, ChoiceSource.FREE, "body");
            background.await();
            return true;
        });

        assertThat(holders).containsExactly("background", "body");
    }
}
