package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.SystemBackground;
import dev.equipoise.protocol.ModelInstructions;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ModelWriterTest {

    private final SlowStore store = new SlowStore();
    private final MemorySegment weights = Arena.ofAuto().allocate(JAVA_FLOAT, 3);

    /** Store whose calls wait for a permit each; it notes the epoch and a weight of each model. */
    private static final class SlowStore implements ModelStore {

        private final Semaphore permits = new Semaphore(0);
        private final List<String> stored = new CopyOnWriteArrayList<>();

        @Override
        public ModelInstructions instructions() {
            return new ModelInstructions(null, null);
        }

        @Override
        public ModelStore naming(List<String> classNames) {
            return this;
        }

        @Override
        public void store(int rank, ModelScore score, MemorySegment content)
                throws InterruptedException {
            assertThat(permits.tryAcquire(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
            stored.add("%d: %s".formatted(score.epoch(), content.getAtIndex(JAVA_FLOAT, 2)));
        }

        @Override
        public void loadInitial(MemorySegment target) {
            throw new AssertionError("the run begins with random weights");
        }
    }

    private void offer(ModelWriter writer, int epoch) throws InterruptedException {
        weights.fill((byte) 0);
        weights.setAtIndex(JAVA_FLOAT, 2, epoch + 0.5f);
        writer.offer(new ModelScore(epoch, epoch / 10.0, 1), weights);
    }

    @Test
    void trainingDoesNotWaitForAnUploadAndTheBestModelFollows() throws Exception {
        try (BackgroundThread background = SystemBackground.interruptedByClose()) {
            var writer = new ModelWriter(store, background, 0);
            offer(writer, 1);
            offer(writer, 2);
            offer(writer, 3);
            weights.fill((byte) 1);
            store.permits.release(2);

            writer.finish();
        }
        assertThat(store.stored).containsExactly("1: 1.5", "3: 3.5");
    }

    @Test
    void modelOfTheLastEpochMakesTheWaitingOneNeedless() throws Exception {
        try (BackgroundThread background = SystemBackground.interruptedByClose()) {
            var writer = new ModelWriter(store, background, 0);
            offer(writer, 1);
            offer(writer, 2);
            store.permits.release(2);

            writer.finishWithoutWaiting();
        }
        assertThat(store.stored).containsExactly("1: 1.5");
    }
}
