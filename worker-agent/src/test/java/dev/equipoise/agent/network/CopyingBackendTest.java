package dev.equipoise.agent.network;

import dev.equipoise.agent.network.nd4j.Nd4jBackend;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Device;

/**
 * As on CUDA, where each operation has arrays of its own, to which its operands are copied and from
 * which its result comes back. Here both halves of an array are the same memory of the CPU: what is
 * copied too late, or not at all, shows; what ND4J moves between the halves is for {@code Trial} to
 * see where there is a card.
 */
class CopyingBackendTest extends BackendContract {

    @Override
    Backend backend() {
        return new Nd4jBackend(Device.CUDA);
    }
}
