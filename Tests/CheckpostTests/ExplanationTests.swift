import Foundation
import Testing

@Suite("Why a plate was not read", .timeLimit(.minutes(15)))
struct ExplanationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let still = Checkout.samples.appendingPathComponent("stills/clean_zonal_me_truck.jpg")

    @Test func `read --explain writes a page with each stage's pictures, and a table`() async throws {
        let result = try await Program.run(["read", "--explain", "--output", folder.url.path, still.path, still.path])
        #expect(result.status == 0)
        #expect(result.output.contains("ME 1 KA 5924"))
        for name in ["clean_zonal_me_truck", "clean_zonal_me_truck-2"] {
            let own = folder[name]
            let page = try String(contentsOf: own.appendingPathComponent("index.html"), encoding: .utf8)
            #expect(page.contains("ME 1 KA 5924") && !page.contains("<script"))
            let table = try String(contentsOf: own.appendingPathComponent("stages.tsv"), encoding: .utf8)
            let rows = table.split(separator: "\n").dropFirst().map {
                $0.split(separator: "\t", omittingEmptySubsequences: false)
            }
            #expect(rows.allSatisfy { $0.count == 7 })
            #expect(
                Set(["detection", "rows", "row", "line", "formats", "plate"]).isSubset(of: rows.map { String($0[1]) }))
            let pictures = rows.map { String($0[6]) }.filter { !$0.isEmpty }
            #expect(pictures.contains { $0.hasSuffix("-line.png") })
            for picture in pictures + ["picture.png"] {
                let data = try Data(contentsOf: own.appendingPathComponent(picture))
                #expect(data.starts(with: [0x89, 0x50, 0x4E, 0x47]), "\(picture) is no PNG")
            }
        }
        #expect(try await Program.run(["read", "--output", folder.url.path, still.path]).status == 2)
    }

    @Test func `replay --truth lists each miss with its reason, and --html shows every plate`() async throws {
        try FileManager.default.copyItem(at: still, to: folder["a.jpg"])
        let table = try folder.write(
            """
            file,x,y,w,h,plate,country
            a.jpg,520,514,240,124,मे१क५९२४,np
            a.jpg,20,14,100,60,बा१प१,np
            a.jpg,520,514,240,124,मे१क५९२५,np
            none.jpg,0,0,10,10,X1,np
            """, to: "truth.csv")
        let page = folder["page"]
        let score = ["replay", folder.url.path, "--truth", table.path, "--by-box", "--html", page.path]
        let misses = try #require(
            try await Program.run(score + ["--json"]).objects.first?["misses"] as? [[String: Any]])
        #expect(misses.map { $0["truth"] as? String } == ["BA 1 PA 1", "ME 1 KA 5925", "X 1"])
        #expect(
            misses.map { $0["cause"] as? String } == [
                "no place was seen there", "one character is wrong", "the picture can't be decoded",
            ])
        #expect(misses[1]["answer"] as? String == "ME 1 KA 5924")
        let text = try await Program.run(score).output
        #expect(text.contains("a.jpg  ME 1 KA 5925  ME 1 KA 5924") || text.contains("ME 1 KA 5925"))
        #expect(text.contains("one character is wrong"))
        let html = try String(contentsOf: page.appendingPathComponent("index.html"), encoding: .utf8)
        #expect(html.contains("3 of 4 plates were not read right"))
        #expect(FileManager.default.fileExists(atPath: page.appendingPathComponent("plate-1.png").path))
        #expect(try await Program.run(["replay", folder.url.path, "--html", page.path]).status == 2)
    }
}
