package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.codec.TouchedRows;
import dev.equipoise.agent.network.Minibatch;
import java.util.function.Consumer;

/** Records the words of mini-batches as touched rows. */
record TouchedRowsRecorder(TouchedRows rows) implements Consumer<Minibatch> {

    @Override
    public void accept(Minibatch minibatch) {
        int inputs = minibatch.size() * minibatch.shape().size();
        for (int i = 0; i < inputs; i++) {
            rows.addInput(minibatch.tokens()[i]);
        }
        for (int i = 0; i < minibatch.labelCount(); i++) {
            rows.addLabel(minibatch.labels()[i]);
        }
    }
}
