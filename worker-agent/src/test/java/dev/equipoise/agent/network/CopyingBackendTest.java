package dev.equipoise.agent.network;

import dev.equipoise.agent.network.nd4j.Nd4jBackend;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.Device;

/**
 * Emulates CUDA, where operands are copied to arrays of the operation and the result back. Here
 * both copies of an array share CPU memory: this finds missing or late copies, while {@code
 * BackendSelfTest} checks transfers between the memories of CPU and card where there is a card.
 */
class CopyingBackendTest extends BackendContract {

    @Override
    Backend backend() {
        return new Nd4jBackend(Device.CUDA);
    }
}
