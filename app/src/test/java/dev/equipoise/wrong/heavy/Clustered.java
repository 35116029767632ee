package dev.equipoise.wrong.heavy;

import com.hazelcast.fixture.Member;

class Clustered {

    Member member() {
        return new Member();
    }
}
