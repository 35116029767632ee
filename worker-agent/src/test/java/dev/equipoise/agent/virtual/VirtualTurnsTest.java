package dev.equipoise.agent.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.order.Decisions;
import dev.equipoise.agent.order.Turns;
import dev.equipoise.agent.time.Background;
import dev.equipoise.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Patience.SECONDS)
class VirtualTurnsTest {

    private final VirtualCluster cluster = new VirtualCluster(1, LinkModel.uniform(1, 0), 1);
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static Decisions always(int choice) {
        return _ -> choice;
    }

    private void turn(Turns turns, Decisions decisions, String who) {
        turns.enter(decisions);
        seen.add(who);
        turns.leave();
    }

    private void run(Callable<Boolean> body) {
        cluster.run(List.of(body));
    }

    @Test
    void turnsComeAsTheyDoWhereNothingIsImposed() {
        run(() -> {
            Background background = cluster.background(0);
            Turns turns = background.turns();
            turn(turns, Decisions.FREE, "body");
            background.start(() -> turn(turns, Decisions.FREE, "background"));
            background.await();
            turn(turns, Decisions.FREE, "body again");
            return true;
        });

        assertThat(seen).containsExactly("body", "background", "body again");
    }

    @Test
    void whoComesTooEarlyWaitsForTheTurnsBefore() {
        run(() -> {
            Background background = cluster.background(0);
            Turns turns = background.turns();
            background.start(() -> {
                cluster.time(0).sleep(1_000);
                turn(turns, always(0), "background");
                cluster.time(0).sleep(1_000);
                turn(turns, always(1), "background again");
            });
            turn(turns, always(2), "body");
            seen.add("at " + cluster.time(0).nanoTime());
            background.await();
            return true;
        });

        assertThat(seen).containsExactly("background", "background again", "body", "at 2000");
    }

    @Test
    void aTurnThatNeverComesEndsTheRun() {
        assertThatThrownBy(() ->
                        run(() -> {
                            Background background = cluster.background(0);
                            turn(background.turns(), always(3), "body");
                            return true;
                        }))
                .isInstanceOf(ChannelFailed.class)
                .hasMessageContaining("nobody can go on")
                .hasMessageContaining("turn 3");
        assertThat(seen).isEmpty();
    }

    @Test
    void whoseClockIsAheadHasItsTurnAfterThoseBehind() {
        run(() -> {
            Background background = cluster.background(0);
            Turns turns = background.turns();
            background.start(() -> turn(turns, Decisions.FREE, "background"));
            cluster.time(0).sleep(1_000);
            turn(turns, Decisions.FREE, "body");
            background.await();
            return true;
        });

        assertThat(seen).containsExactly("background", "body");
    }
}
