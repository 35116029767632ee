package dev.equipoise.agent.channel;

import java.util.List;

class MemoryChannelTest extends ChannelContract {

    @Override
    protected List<Channel> join(int size) {
        return MemoryChannel.join(size);
    }
}
